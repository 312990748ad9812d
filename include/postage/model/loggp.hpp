#pragma once

#include <postage/model/link_table.hpp>

#include <algorithm>

namespace postage {

struct LogGPLink {
  Seconds latency = 0;           ///< L
  Seconds send_overhead = 0;     ///< o_s
  Seconds receive_overhead = 0;  ///< o_r
  Seconds gap = 0;               ///< g
  double gap_per_byte = 0;       ///< G
};

/// A. Alexandrov, M. F. Ionescu, K. E. Schauser, C. Scheiman, LogGP, SPAA 1995: o_s + L + (m-1)G + o_r; the next
/// message leaves g + (m-1)G after this one. An empty message costs what one byte costs.
struct LogGP {
  LinkTable<LogGPLink> links;

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const LogGPLink& link = links.at(question);
    const Seconds stream = link.gap_per_byte * static_cast<double>(std::max<Bytes>(question.bytes - 1, 0));
    return {.sender_busy = link.send_overhead,
            .wire = link.latency + stream,
            .receiver_busy = link.receive_overhead,
            .gap = link.gap + stream};
  }
};

}  // namespace postage
