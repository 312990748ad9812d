#pragma once

#include <postage/model/hockney.hpp>
#include <postage/model/loggp.hpp>
#include <postage/model/transfer.hpp>

#include <cstdint>

namespace postage::closed_form {

// The formulas as the papers print them, for homogeneous parameters. They are oracles of the evaluator, which
// never calls them. `ranks` is P, `bytes` the message's size m; a segmented message has `segments` pieces of `bytes`
// each. O(1). Those of single papers stand in closed_forms_PAPER.hpp.

// For any model whose transfers all cost the same, whatever shares their channel. gap' is the larger of the sender's
// time and the gap, what keeps one rank's messages apart.

/// (P-2) gap' + total for P > 1.
[[nodiscard]] Seconds linear_bcast(const TransferCost& cost, std::int64_t ranks);
/// ceil(log2 P) total. Exact for P a power of two and gap <= total; elsewhere an upper bound.
[[nodiscard]] Seconds binomial_bcast(const TransferCost& cost, std::int64_t ranks);
/// (P-1) total + (k-1) period, where `cost` is one segment's and the period that of an inner rank, which receives and
/// sends: the larger of the gap and both its overheads.
[[nodiscard]] Seconds pipeline_bcast(const TransferCost& cost, std::int64_t ranks, std::int64_t segments);
/// ceil(log2 P) total. Assumes gap <= total.
[[nodiscard]] Seconds dissemination_barrier(const TransferCost& cost, std::int64_t ranks);

/// alpha + beta*m (Lastovetsky and Rychkov, section 2).
[[nodiscard]] Seconds message(const HockneyLink& link, Bytes bytes);
/// o_s + L + (m-1)G + o_r (the same, section 2; there with o_s = o_r = o).
[[nodiscard]] Seconds message(const LogGPLink& link, Bytes bytes);
/// L + 2o + (S-1)G + (k-1)(g + (S-1)G) (Rico-Gallego et al., section 2). Assumes g + (S-1)G >= o_s, o_r.
[[nodiscard]] Seconds segmented_message(const LogGPLink& link, Bytes bytes, std::int64_t segments);

/// (P-1)(alpha + beta*m).
[[nodiscard]] Seconds linear_bcast(const HockneyLink& link, std::int64_t ranks, Bytes bytes);
/// (P-2)(g + (m-1)G) + o_s + L + (m-1)G + o_r for P > 1. Assumes g + (m-1)G >= o_s.
[[nodiscard]] Seconds linear_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes);

/// ceil(log2 P)(alpha + beta*m).
[[nodiscard]] Seconds binomial_bcast(const HockneyLink& link, std::int64_t ranks, Bytes bytes);
/// ceil(log2 P)(L + 2o + (m-1)G) (Rico-Gallego et al., section 4). Synchronous stages: exact for P a power of two and
/// g <= L + 2o; elsewhere an upper bound, since ranks do not wait for a stage to end.
[[nodiscard]] Seconds binomial_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes);

/// (P-2+k)(alpha + beta*S).
[[nodiscard]] Seconds pipeline_bcast(const HockneyLink& link, std::int64_t ranks, Bytes bytes, std::int64_t segments);
/// (P-1)(L + 2o + (S-1)G) + (k-1)(g + (S-1)G). Assumes that an inner rank keeps up: g + (S-1)G >= o_s + o_r.
[[nodiscard]] Seconds pipeline_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes, std::int64_t segments);

/// ceil(log2 P) alpha.
[[nodiscard]] Seconds dissemination_barrier(const HockneyLink& link, std::int64_t ranks);
/// ceil(log2 P)(L + 2o). Assumes g <= L + 2o.
[[nodiscard]] Seconds dissemination_barrier(const LogGPLink& link, std::int64_t ranks);

}  // namespace postage::closed_form
