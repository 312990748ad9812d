#pragma once

#include <postage/base/statistics.hpp>
#include <postage/model/cell_plogp.hpp>

#include <cstdint>

namespace postage::closed_form::cell {

// Q. Ali, S. P. Midkiff, V. S. Pai, Modeling Advanced Collective Communication Algorithms on Cell-based Systems, PPoPP
// 2010, tables 1 to 5 and section 6, for p = `ranks` processing elements on one chip or two. L, g are those of a chip
// (L_1, g_1 where there are two), L_2, g_2 and C those across the chips; L(1) is an acknowledgement, the smallest
// message, of 16 bytes. X, which the paper gives as an interval, stays one. Where a table says "p is a power of two",
// other p throw UsageError. O(log p).

enum class Chips { kOne, kTwo };

/// A blade's parameters.
struct Blade {
  CellPLogPLink chip;            ///< L_1, g_1
  CellPLogPLink across{};        ///< L_2, g_2, C
  Seconds combine_per_byte = 0;  ///< gamma, s/B
};

/// C(m, n) where m > 256 and n > 2 (or the thresholds that the link has), else 0.
[[nodiscard]] Seconds congestion(const Blade& blade, Bytes bytes, std::int64_t crossing);

// Table 1, barriers.

/// One: log2 p L(1), (floor(log2 p) + 2) L(1) for other p. Two: (log2 p - 1) L_1(1) + L_2(1),
/// (floor(log2 p) + 1) L_1(1) + L_2(1).
[[nodiscard]] Seconds recursive_doubling_barrier(const Blade& blade, Chips chips, std::int64_t ranks);
/// One: ceil(log2 p) L(1). Two: ceil(log2 p) max{L_1(1), L_2(1)}.
[[nodiscard]] Seconds bruck_barrier(const Blade& blade, Chips chips, std::int64_t ranks);
/// One: 2 ceil(log2 p) L(1). Two: max{2(ceil(log2 p) - 1) L_1(1), 2[L_2(1) + (ceil(log2 p) - 1) L_1(1)]}, of which the
/// second is never the smaller.
[[nodiscard]] Seconds gather_broadcast_barrier(const Blade& blade, Chips chips, std::int64_t ranks);
/// One: q g(1) + 2 L(1) + X, 0 <= X <= q g_Ack(1), q = p - 2. Two, p > 8:
/// 2(L_1(1) + L_2(1)) + q_1 g_1(1) + q_2 g_2(1) + X, 0 <= X <= q_1 g_1Ack(1) + q_2 g_2Ack(1), q_1 = 6, q_2 = p - 9.
[[nodiscard]] Interval one_to_all_barrier(const Blade& blade, Chips chips, std::int64_t ranks);

// Table 2, broadcasts of `bytes` = m.

/// One: q g(m) + L(m) + L(1) + X. Two, p > 8: L_1(m) + q_1 g_1(m) + L_2(m) + q_2 g_2(m) + L_1(1) + L_2(1) + X; q and X
/// as in the barrier.
[[nodiscard]] Interval one_to_all_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes);
/// One: floor(log2 p)(L(m) + L(1)) + q g(m) + X. Two: (floor(log2 p) - 1)(L_1(m) + L_1(1)) + L_2(m) + L_2(1) + q_1
/// g_1(m) + X. 0 <= X <= q g_Ack(1); for two chips the print bounds X by a q that it does not define, taken to be q_1.
/// `gaps` is q, see binomial_gaps.
[[nodiscard]] Interval simple_binomial_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes,
                                             std::int64_t gaps);
/// Section 4: the sum over the levels of a binomial tree of the largest out-degree, less 1, and less the messages that
/// cross at that level: 3 for p = 8 on one chip, as table 2 prints. For p = 16 on two chips the sum gives 5, where the
/// table prints q_1 = 7, q_2 = 0.
[[nodiscard]] std::int64_t binomial_gaps(Chips chips, std::int64_t ranks);
inline constexpr std::int64_t kPrintedBinomialGapsOfTwoChips = 7;
/// One: log2 p (L(m) + L(1)), p a power of two. Two: (ceil(log2 p) - 1)(L_1(m) + L_1(1)) + L_2(m) + L_2(1).
[[nodiscard]] Seconds optimised_binomial_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes);
/// One: (log2 p + 1)(L(m/2) + L(1)). Two: (log2 p - 1)(L_1(m/2) + L_1(1)) + 2(L_2(m/2) + L_2(1)) + C(m/2 > 256), where
/// p - 2 messages cross (section 5.2: 14 of 16). p a power of two.
[[nodiscard]] Seconds segmented_binomial_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes);
/// Two: log2 p (L_1(m/2) + L_1(1)) + L_2(m) + L_2(1), p a power of two.
[[nodiscard]] Seconds hybrid_segmented_bcast(const Blade& blade, std::int64_t ranks, Bytes bytes);

// Table 3, all-gathers; `bytes` = m is one rank's contribution, p a power of two.

/// One: sum_{k=0}^{log2 p - 1} (L(2^k m) + L(1)). Two: sum_{k=0}^{log2 p - 2} (L_1(2^k m) + L_1(1)) +
/// L_2(2^{log2 p - 1} m) + L_2(1) + C(2^{log2 p - 1} m > 256) with p messages crossing.
[[nodiscard]] Seconds recursive_doubling_allgather(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes);
/// Two, hybrid-x-y: sum_{k=1}^{x-1} (L_1(2^{k-1} m) + L_1(1)) + sum_{k=x}^{log2 p} (L_z(2^{k-1} m) + L_z(1) +
/// C(2^{k-1} m > 256, y > 2, z = 2)) + (x-1)(L_1(p m) + L_1(1)), z = 2 for k > 3, else 1: binomial gather up to round
/// x, then recursive doubling among y = p/2^{x-1} ranks, then broadcast. x = `switching_round` from 1 to log2 p + 1.
[[nodiscard]] Seconds hybrid_allgather(const Blade& blade, std::int64_t ranks, Bytes bytes,
                                       std::int64_t switching_round);

// Table 4, reductions.

/// `bytes` = m is the vector. One: floor(log2 p)(L(m) + L(1) + gamma m). Two:
/// (ceil(log2 p) - 1)(L_1(m) + L_1(1) + gamma m) + L_2(m) + L_2(1) + gamma m.
[[nodiscard]] Seconds binomial_reduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes);
/// Rabenseifner's reduce-scatter and gather; `bytes` = m is one rank's part, the vector has p m; p a power of two. One:
/// sum_{k=0}^{log2 p - 1} (2 L(2^k m) + gamma 2^k m + 2 L(1)). Two: sum_{k=0}^{log2 p - 2} (2 L_1(2^k m) + gamma 2^k m
/// + 2 L_1(1)) + 2(L_2(2^{log2 p - 1} m) + L_2(1)) + gamma 2^{log2 p - 1} m + C(2^{log2 p - 1} m > 256).
[[nodiscard]] Seconds reduce_scatter_gather_reduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes);

// Table 5, all-reductions; p a power of two. `bytes` = m is the vector of the first and of hybrid A, one rank's part
// elsewhere.

/// One: log2 p (L(m) + 2 L(1) + gamma m). Two: (log2 p - 1)(L_1(m) + 2 L_1(1) + gamma m) + L_2(m) + 2 L_2(1) + gamma m
/// + C(m > 256). Section 4 charges a round of a butterfly one L(1), this table two.
[[nodiscard]] Seconds recursive_doubling_allreduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes);
/// As reduce_scatter_gather_reduce, with 2 C for two chips.
[[nodiscard]] Seconds reduce_scatter_allgather_allreduce(const Blade& blade, Chips chips, std::int64_t ranks,
                                                         Bytes bytes);
/// That reduction, then the optimised binomial broadcast of the vector. The print writes L(m) in the broadcast's terms,
/// where m is a rank's part in the others; a broadcast of the whole has p m, which is taken here.
[[nodiscard]] Seconds reduce_scatter_gather_bcast_allreduce(const Blade& blade, Chips chips, std::int64_t ranks,
                                                            Bytes bytes);
/// The same as it is printed: a broadcast of m.
[[nodiscard]] Seconds reduce_scatter_gather_bcast_as_printed(const Blade& blade, Chips chips, std::int64_t ranks,
                                                             Bytes bytes);
/// Two, hybridA-x-y: 2(x-1)(L_1(m) + L_1(1)) + (x-1) gamma m + sum_{k=x}^{log2 p} (L_z(m) + L_z(1) + gamma m +
/// C(m > 256, y > 2, z = 2)). The print lacks the plus sign before the sum.
[[nodiscard]] Seconds hybrid_a_allreduce(const Blade& blade, std::int64_t ranks, Bytes bytes,
                                         std::int64_t switching_round);
/// Two, hybridB-x-y: sum_{k=0}^{log2 p - 2} (L_1(2^k m) + gamma 2^k m + L_1(1)) + L_2(2^{log2 p - 1} m) + L_2(1) +
/// gamma 2^{log2 p - 1} m + C(2^{log2 p - 1} m > 256) + hybrid-x-y all-gather. The print lacks the plus sign before C.
[[nodiscard]] Seconds hybrid_b_allreduce(const Blade& blade, std::int64_t ranks, Bytes bytes,
                                         std::int64_t switching_round);

// Section 6, beyond a blade: barriers of all 16 elements on each of `nodes` nodes.

/// Between the levels: `host` joins elements and the blade's general-purpose core (spe-ppe), `network` two nodes.
/// max{3 L_1(1) + L_2(1), L_sp(1) + g_sp(1), ceil(log2 N)(L_node(1) + g_node(1))} + L_ps(1) + 3 L_1(1) + L_2(1). The
/// text has the first two overlap, "and the cost will be the maximum", and then the barrier between the nodes with them
/// too; the sum of that and the first two is the bound without the latter overlap.
[[nodiscard]] Interval cluster_barrier(const Blade& blade, const CellPLogPLink& host, const CellPLogPLink& network,
                                       std::int64_t nodes);

/// Roadrunner: max{3 L_1(1) + L_2(1), L_sp(1) + 15 g_sp(1)} + L_3(1) + log2 N L_4(1) + L_3(1) + g_3(1) + L_ps(1) + 3
/// L_1(1) + L_2(1), with `bus` between a blade and its Opteron (3) and `network` between Opterons (4). N a power of
/// two. The paper puts the way back down in words only: to one element, then a broadcast on the blade as in the
/// cluster's.
[[nodiscard]] Seconds roadrunner_barrier(const Blade& blade, const CellPLogPLink& host, const CellPLogPLink& bus,
                                         const CellPLogPLink& network, std::int64_t nodes);

}  // namespace postage::closed_form::cell
