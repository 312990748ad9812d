#pragma once

#include "blade/benchmarks/micro_benchmarks.hpp"

namespace postage::blade {

/// SPEs first, ..., last.
[[nodiscard]] std::vector<int> spes_between(int first, int last);

/// L(1) and L(m) from SPE 0 to others, a mean over them (section 7.1).
[[nodiscard]] Cycles mean_ack_latency(Machine& machine, const std::vector<int>& peers);
[[nodiscard]] Cycles mean_data_latency(Machine& machine, const std::vector<int>& peers, Bytes bytes);

/// g(m) towards `peers`, some of `all` the SPEs that get from SPE 0 at once: every SPE's time, averaged, less that of a
/// get alone, over the number of other gets. What the paper wants is the time that a get waits for the one before it if
/// the arbiter served whole messages in turn; the last of n then waits for n - 1 others, and where it serves 128 bytes
/// of each in turn, all end about when that one would.
[[nodiscard]] Cycles gap_of_gets(Machine& machine, const std::vector<int>& all, const std::vector<int>& peers,
                                 Bytes bytes);

/// g_Ack(1): the same of acknowledgements, which all SPEs put to SPE 0 at once.
[[nodiscard]] Cycles gap_of_acks(Machine& machine, const std::vector<int>& peers);

/// RTT(m) - RTT(0) + g(0) between SPE 0 and another.
[[nodiscard]] Cycles gap_by_roundtrips(Machine& machine, int peer, Bytes bytes);

/// C(m, n): what a butterfly of n messages takes longer than one of two.
[[nodiscard]] Cycles congestion(Machine& machine, int messages, Bytes bytes);

}  // namespace postage::blade
