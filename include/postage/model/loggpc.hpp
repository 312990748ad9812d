#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/loggp.hpp>
#include <postage/model/properties.hpp>

namespace postage {

struct LogGPCLink {
  LogGPLink message;
  CostSurface contention;  ///< C(m, n), s: over size and number of messages that share the channel; C(m, 1) = 0
};

/// C. A. Moritz, M. I. Frank, LoGPC, IEEE TPDS 12(4), 2001: LogGP plus C(m, n), what a message of m bytes waits for the
/// n - 1 others that share its channel. With G = 0 it is LoPC: M. I. Frank, A. Agarwal, M. K. Vernon, PPOPP 1997. C is
/// a measured function here, as in Ali et al. (PPoPP 2010, section 3.1), not those papers' queueing formulas, which
/// hold for wormhole-routed meshes only.
struct LogGPC {
  static constexpr ModelProperties kProperties{.feels_contention = true};

  LinkTable<LogGPCLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const LogGPCLink& link = links.at(question);
    TransferCost cost = link.message.cost(question.bytes);
    cost.wire += link.contention.at(static_cast<double>(question.bytes), question.concurrency);
    return cost;
  }
};

}  // namespace postage
