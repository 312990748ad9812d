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

  /// o_s + L + (m-1)G + o_r; the next message leaves g + (m-1)G after this one. An empty message costs what one byte
  /// costs.
  [[nodiscard]] TransferCost cost(Bytes bytes) const {
    const Seconds stream = gap_per_byte * static_cast<double>(std::max<Bytes>(bytes - 1, 0));
    return {
        .sender_busy = send_overhead, .wire = latency + stream, .receiver_busy = receive_overhead, .gap = gap + stream};
  }
};

/// A. Alexandrov, M. F. Ionescu, K. E. Schauser, C. Scheiman, LogGP, SPAA 1995: o_s + L + (m-1)G + o_r.
struct LogGP {
  LinkTable<LogGPLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    return links.at(question).cost(question.bytes);
  }
};

/// LogGPH: a set of LogGP parameters for each channel (Rico-Gallego et al., Modeling Contention and Mapping Effects in
/// Multi-core Clusters, 2015, sections 2 and 5). It takes no notice of how many transfers share a channel, hence none
/// of the number Q of ranks on a node.
using LogGPH = LogGP;

}  // namespace postage
