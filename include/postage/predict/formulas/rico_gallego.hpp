#pragma once

#include <postage/model/loggp.hpp>
#include <postage/model/tau_lop.hpp>

#include <cstdint>

namespace postage::closed_form {

// Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015. P = `ranks` is a power of
// two but in the rings; a message of m bytes has k = `segments` segments of S = `segment` bytes. From section 4 on the
// paper leaves out the overhead o(m) "for clarity" (its footnote 1), and so do the tau-Lop forms of scatter, allgather
// and ring. O(log P) at most.

/// tau-Lop, section 3: the sum over i = 0 .. ceil(log2 P)-1 of o(m) + n L(m, 2^i), with n = 2 through shared memory.
[[nodiscard]] Seconds binomial_bcast(const TauLopLink& memory, std::int64_t ranks, Bytes bytes);

/// tau-Lop, section 4: 2 L(S, 1) + (k-1) L(S, 2), the first and the last transfer alone, those between in pairs.
[[nodiscard]] Seconds segmented_message(const TauLopLink& memory, Bytes segment, std::int64_t segments);
/// What the paper takes for it: o(m) + k L(S, 2). It is longer by o(m) + L(S, 2) - 2 L(S, 1), which is at most o(m).
[[nodiscard]] Seconds segmented_message_approximately(const TauLopLink& memory, Bytes segment, std::int64_t segments);
/// Sendrecv of m bytes either way, for each process: o(m) + 2k L(S, 1).
[[nodiscard]] Seconds segmented_exchange(const TauLopLink& memory, Bytes segment, std::int64_t segments);
/// Eq. 2, P || T_exch, a stage in which all ranks exchange m bytes in pairs: o(m) + 2k L(S, P).
[[nodiscard]] Seconds exchange_stage(const TauLopLink& memory, std::int64_t ranks, Bytes segment,
                                     std::int64_t segments);

/// LogGP, section 4: L + 2o + S G + (k-1)(g + S G), which the paper writes for
/// L + 2o + (S-1)G + (k-1)(g + (S-1)G), the segmented_message of closed_forms.hpp.
[[nodiscard]] Seconds segmented_message_approximately(const LogGPLink& link, Bytes segment, std::int64_t segments);

/// LogGP, table 1: log2 P (L + 2o + S G) + ((P-1)/P)(k-1)(g + S G). The root holds m = k S bytes. The paper writes S G
/// for (S-1) G.
[[nodiscard]] Seconds binomial_scatter(const LogGPLink& link, std::int64_t ranks, Bytes segment, std::int64_t segments);
/// LogGP, table 2: the same total, each rank ending with m = k S bytes.
[[nodiscard]] Seconds recursive_doubling_allgather(const LogGPLink& link, std::int64_t ranks, Bytes segment,
                                                   std::int64_t segments);

/// tau-Lop, eq. 1 and 4: the sum over i of (k/2^{i+1}) L(S, 2^{i+1}).
[[nodiscard]] Seconds binomial_scatter(const TauLopLink& memory, std::int64_t ranks, Bytes segment,
                                       std::int64_t segments);
/// The upper bound that follows eq. 4, with the last stage's concurrency in all: k ((P-1)/P) L(S, P).
[[nodiscard]] Seconds binomial_scatter_bound(const TauLopLink& memory, std::int64_t ranks, Bytes segment,
                                             std::int64_t segments);
/// tau-Lop, eq. 3: the sum over i of (2^{i+1} k/P) L(S, P) = 2k ((P-1)/P) L(S, P). At least twice the scatter for every
/// m and P, as section 4 says; "more than" holds for P > 2 only, and where L(S, tau) grows with tau.
[[nodiscard]] Seconds recursive_doubling_allgather(const TauLopLink& memory, std::int64_t ranks, Bytes segment,
                                                   std::int64_t segments);

// Ring allgather of `bytes` bytes from each rank, on nodes of Q = `per_node` ranks.

/// LogGPH, eq. 5: (P-1)[(L + 2o + (m-1)G) + (L' + 2o' + (m-1)G')], whatever Q >= 2.
[[nodiscard]] Seconds sequential_ring_allgather(const LogGPLink& node, const LogGPLink& network, std::int64_t ranks,
                                                Bytes bytes);
/// LogGPH, eq. 6: (P-1) 2 (L' + 2o' + (m-1)G'), whatever Q.
[[nodiscard]] Seconds round_robin_ring_allgather(const LogGPLink& network, std::int64_t ranks, Bytes bytes);

/// tau-Lop before eq. 7, message by message: (P-1)[C || (T0(m) + T1(m))] = (P-1)[Q || T0(m) + 1 || T1(m)], with T0 = 2
/// L0 and T1 = L0 + L1 + L0 ("a transmission through the network composed of three transfers").
[[nodiscard]] Seconds sequential_ring_of_messages(const TauLopLink& memory, const TauLopLink& network,
                                                  std::int64_t ranks, std::int64_t per_node, Bytes bytes);
/// tau-Lop before eq. 8: (P-1)[Q || (T1(m) + T1(m))], which is twice eq. 8: there a rank's send and receive are one
/// message's transfers, here two messages.
[[nodiscard]] Seconds round_robin_ring_of_messages(const TauLopLink& memory, const TauLopLink& network,
                                                   std::int64_t ranks, std::int64_t per_node, Bytes bytes);

/// tau-Lop, eq. 7 as printed, for L1(m, 1) >= L0(m, Q-1): (P-1)[L0(m, Q) + L1(m, 1) + L0(m, 1)].
[[nodiscard]] Seconds sequential_ring_as_printed(const TauLopLink& memory, const TauLopLink& network,
                                                 std::int64_t ranks, std::int64_t per_node, Bytes bytes);
/// tau-Lop, eq. 7 before it drops the smaller of the two that overlap:
/// (P-1)[L0(m, Q) + max{L0(m, Q-1), L1(m, 1)} + L0(m, 1)].
[[nodiscard]] Seconds sequential_ring_allgather(const TauLopLink& memory, const TauLopLink& network, std::int64_t ranks,
                                                std::int64_t per_node, Bytes bytes);
/// tau-Lop, eq. 8: (P-1)[L0(m, Q) + L1(m, Q) + L0(m, Q)].
[[nodiscard]] Seconds round_robin_ring_allgather(const TauLopLink& memory, const TauLopLink& network,
                                                 std::int64_t ranks, std::int64_t per_node, Bytes bytes);

}  // namespace postage::closed_form
