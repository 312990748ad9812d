#pragma once

#include <postage/model/log_3p.hpp>
#include <postage/platform/mapping.hpp>

#include <cstdint>

namespace postage::closed_form {

// B. Tu, J. Fan, J. Zhan, X. Zhao, Accurate Analytical Models for Message Passing on Multi-core Clusters, 2009, section
// IV.B. `node` is the level within a node, `network` the one between nodes (primed in the paper); P = `ranks` on
// `nodes` nodes with P/n each; a message has `bytes` bytes, `stride` apart (0 for a contiguous one). All times are 0
// for P = 1. O(1) but for look-ups.

/// log_3P: P (o'_mw/2 + l'_mw/2) + o'_net, which is P-1 sends at the root and one receive at the last rank.
[[nodiscard]] Seconds linear_bcast(const MiddlewareLevel& network, std::int64_t ranks, Bytes bytes, Bytes stride);

/// 2log_{2,3}P with all of the root's messages within the node first:
/// (P/n-1)(o_mw/2 + l_mw/2) + (P-(P/n-1)-1)(o'_mw/2 + l'_mw/2) + o'_net. The print leaves out the last receiver's half,
/// which the log_3P formula counts, and keeps o'_net for n = 1, where no message leaves the node.
[[nodiscard]] Seconds linear_bcast_as_printed(const MiddlewareLevel& node, const MiddlewareLevel& network,
                                              std::int64_t ranks, std::int64_t nodes, Bytes bytes, Bytes stride);

/// The same with the last receiver's half, and without network for n = 1. What the evaluator gives where a message
/// between nodes takes longer than half of one within.
[[nodiscard]] Seconds linear_bcast(const MiddlewareLevel& node, const MiddlewareLevel& network, std::int64_t ranks,
                                   std::int64_t nodes, Bytes bytes, Bytes stride);

/// log_3P: (o'_mw + l'_mw + o'_net) ceil(log2 P); the paper's P is a power of two.
[[nodiscard]] Seconds binomial_bcast(const MiddlewareLevel& network, std::int64_t ranks, Bytes bytes, Bytes stride);

/// 2log_{2,3}P: (o_mw + l_mw) n + (o'_mw + l'_mw + o'_net)(log2 P - n), where n = `within_node` of the log2 P transfers
/// on the longest way to a leaf stay within a node.
[[nodiscard]] Seconds binomial_bcast(const MiddlewareLevel& node, const MiddlewareLevel& network, std::int64_t ranks,
                                     std::int64_t within_node, Bytes bytes, Bytes stride);

/// That n: the way leads from the root by P/2, then P/4, ..., then 1 rank further, modulo P. Throws UsageError for P
/// that is no power of two, where the way of most transfers is not one of log2 P. O(log P).
[[nodiscard]] std::int64_t transfers_within_node(const Mapping& mapping, std::int64_t ranks, std::int64_t root);

}  // namespace postage::closed_form
