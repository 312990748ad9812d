#include "predict/formulas/numbers.hpp"

#include <postage/predict/formulas/tu.hpp>

namespace postage::closed_form {
namespace {

/// o_mw/2 + l_mw/2: one end's share.
Seconds half(const MiddlewareLevel& level, Bytes bytes, Bytes stride) {
  return level.middleware(bytes, stride) / 2;
}

Seconds whole(const MiddlewareLevel& level, Bytes bytes, Bytes stride) {
  return level.cost(bytes, stride).total();
}

}  // namespace

Seconds linear_bcast(const MiddlewareLevel& network, std::int64_t ranks, Bytes bytes, Bytes stride) {
  return ranks == 1 ? 0 : number(ranks) * half(network, bytes, stride) + network.network.at(number(bytes));
}

Seconds linear_bcast_as_printed(const MiddlewareLevel& node, const MiddlewareLevel& network, std::int64_t ranks,
                                std::int64_t nodes, Bytes bytes, Bytes stride) {
  const std::int64_t within = ranks / nodes - 1;
  return ranks == 1 ? 0
                    : number(within) * half(node, bytes, stride) +
                          number(ranks - within - 1) * half(network, bytes, stride) + network.network.at(number(bytes));
}

Seconds linear_bcast(const MiddlewareLevel& node, const MiddlewareLevel& network, std::int64_t ranks,
                     std::int64_t nodes, Bytes bytes, Bytes stride) {
  if (nodes == 1) {
    return linear_bcast(node, ranks, bytes, stride);
  }
  return linear_bcast_as_printed(node, network, ranks, nodes, bytes, stride) + half(network, bytes, stride);
}

Seconds binomial_bcast(const MiddlewareLevel& network, std::int64_t ranks, Bytes bytes, Bytes stride) {
  return number(ceil_log2(ranks)) * whole(network, bytes, stride);
}

Seconds binomial_bcast(const MiddlewareLevel& node, const MiddlewareLevel& network, std::int64_t ranks,
                       std::int64_t within_node, Bytes bytes, Bytes stride) {
  return number(within_node) * whole(node, bytes, stride) +
         number(ceil_log2(ranks) - within_node) * whole(network, bytes, stride);
}

std::int64_t transfers_within_node(const Mapping& mapping, std::int64_t ranks, std::int64_t root) {
  std::int64_t count = 0;
  std::int64_t at = root;
  for (std::int64_t left = exact_log2(ranks, "the binomial broadcast's longest way"); left > 0; --left) {
    const std::int64_t next = (at + (std::int64_t{1} << (left - 1))) % ranks;
    const auto node_of = [&](std::int64_t rank) { return mapping.placement_of(static_cast<std::int32_t>(rank)).node; };
    count += node_of(at) == node_of(next) ? 1 : 0;
    at = next;
  }
  return count;
}

}  // namespace postage::closed_form
