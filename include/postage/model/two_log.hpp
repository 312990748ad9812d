#pragma once

#include <postage/model/log_3p.hpp>

namespace postage {

/// B. Tu, J. Fan, J. Zhan, X. Zhao, Accurate Analytical Models for Message Passing on Multi-core Clusters, 2009,
/// eq. 4-5, 2log_{2,3}P: within a node (n = 2) o_mw + l_mw = 2f(s,1)_0 + 2f(s,d)_0, between nodes (n = 3)
/// o'_mw + l'_mw + o'_net = 2f'(s,1)_0 + 2f'(s,d)_0 + f'(s,1)_1. The level of a channel within a node has no network.
struct TwoLog {
  LinkTable<MiddlewareLevel> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    return links.at(question).cost(question.bytes, question.stride);
  }
};

}  // namespace postage
