#pragma once

#include "blade/hardware/session.hpp"

#include <vector>

namespace postage::blade {

// The micro-benchmarks of Ali et al., section 3.3, as programs of SPEs. Cycles; nothing is averaged over repetitions,
// which would all be the same.

/// Half a roundtrip by the ACK array (Figure 3a): L(1).
[[nodiscard]] Cycles half_ack_roundtrip(Machine& machine, int a, int b);

/// Half a roundtrip by the ADDR array (Figure 3b): an address put and a get of so many bytes, L(m).
[[nodiscard]] Cycles half_data_roundtrip(Machine& machine, int a, int b, Bytes bytes);

/// What a get of so many bytes takes each of these SPEs from SPE 0, where all issue it at the same cycle.
[[nodiscard]] std::vector<Cycles> gets_from_root(Machine& machine, const std::vector<int>& others, Bytes bytes);

/// When each acknowledgement is there, where all these SPEs put one to SPE 0 at the same cycle: in order.
[[nodiscard]] std::vector<Cycles> acks_to_root(Machine& machine, const std::vector<int>& others);

/// Mean over the SPEs of what a get of so many bytes takes, where `messages`/2 SPEs of each chip get from as many of
/// the other: BIF-n.
[[nodiscard]] Cycles butterfly(Machine& machine, int messages, Bytes bytes);

/// Of an SPE that combines two vectors of so many bytes.
[[nodiscard]] Cycles combination(Machine& machine, Bytes bytes);

/// T. Kielmann, H. Bal, K. Verstoep, Fast measurement of LogP parameters for message passing platforms, IPPS 2000:
/// g(0), the time of a message of many that are sent back to back until the answer to the last is there, and
/// a roundtrip of m bytes, which are answered by the smallest message.
[[nodiscard]] Cycles saturation_gap(Machine& machine, int a, int b);
[[nodiscard]] Cycles answered_roundtrip(Machine& machine, int a, int b, Bytes bytes);

}  // namespace postage::blade
