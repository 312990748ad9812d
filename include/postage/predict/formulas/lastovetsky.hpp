#pragma once

#include <postage/base/statistics.hpp>
#include <postage/model/hockney.hpp>
#include <postage/model/lmo.hpp>

#include <cstdint>
#include <span>

namespace postage::closed_form {

// A. Lastovetsky, V. Rychkov, Accurate and Efficient Estimation of Parameters of Heterogeneous Communication
// Performance Models, IJHPCA 23(2), 2009. `block` is M, the bytes of one rank's block. Ranks are measured ones;
// `channel` is that of pairs without parameters of their own.

/// Section 3: log2(n) alpha + (n-1) beta M, for n = `ranks` a power of two. The same for gather.
[[nodiscard]] Seconds binomial_scatter(const HockneyLink& link, std::int64_t ranks, Bytes block);

/// Eq. 1, the heterogeneous Hockney model: T(k) = alpha_rs + beta_rs 2^{k-1} M + the larger T(k-1) of the two
/// sub-trees, where r is the root of a tree of order k and s that of its largest sub-tree. `order[v]` is the rank at
/// place v of the tree of figure 1, whose root is place 0 and whose sub-tree of order k-1 begins 2^{k-1} places after
/// its root. The same for gather. O(n).
[[nodiscard]] Seconds binomial_scatter(const Hockney& model, std::span<const std::int32_t> order, Bytes block,
                                       ChannelId channel = 0);

/// What a collective of the root with n others is for: `others` are ranks 1 .. n of the paper, each with one message.
struct LinearRequest {
  std::int32_t root = 0;
  std::span<const std::int32_t> others;
  Bytes block = 0;
  ChannelId channel = 0;
};

/// Eq. 8, M <= S: n(C_0 + t_0 M) + max_i{C_i + t_i M + M/beta_0i}.
[[nodiscard]] Seconds small_linear_scatter(const Lmo& model, const LinearRequest& request);
/// Eq. 8, M > S: n(C_0 + t_0 M) + sum_i (C_i + t_i M + M/beta_0i), since large messages are serialised.
[[nodiscard]] Seconds large_linear_scatter(const Lmo& model, const LinearRequest& request);
/// Either, as the model's S says.
[[nodiscard]] Seconds linear_scatter(const Lmo& model, const LinearRequest& request);

/// Eq. 9: as scatter of small blocks, and kappa_1 M.
[[nodiscard]] Seconds small_linear_gather(const Lmo& model, const LinearRequest& request);
/// Eq. 10 with n of the root's terms, as many as messages that it handles: as scatter of large blocks, and kappa_2 M.
[[nodiscard]] Seconds large_linear_gather(const Lmo& model, const LinearRequest& request);
/// Eq. 10 as it is printed: n-1 of the root's terms beside a sum over n others.
[[nodiscard]] Seconds large_linear_gather_as_printed(const Lmo& model, const LinearRequest& request);
/// Eq. 9 for M < M_1, eq. 10 for M > M_2. Between the two, both ends included, the time escalates now and then: then
/// this is the interval from the smaller of the two formulas to the larger one plus the longest escalation seen
/// (infinite where the model has none), elsewhere a single time.
[[nodiscard]] Interval linear_gather(const Lmo& model, const LinearRequest& request);

}  // namespace postage::closed_form
