#pragma once

#include <postage/model/link_table.hpp>

namespace postage {

struct HockneyLink {
  Seconds latency = 0;          ///< alpha
  double seconds_per_byte = 0;  ///< beta, the inverse bandwidth
};

/// R. W. Hockney, The communication challenge for MPP, Parallel Computing 20(3), 1994: alpha + beta*m. The message
/// keeps its sender busy to the end, so messages from one rank, and messages to one rank, follow one another. With
/// parameters by pair it is the heterogeneous Hockney model of Lastovetsky and Rychkov (IJHPCA 23(2), 2009, section 3).
struct Hockney {
  LinkTable<HockneyLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const HockneyLink& link = links.at(question);
    const Seconds time = link.latency + link.seconds_per_byte * static_cast<double>(question.bytes);
    return {.sender_busy = time, .gap = time};
  }
};

}  // namespace postage
