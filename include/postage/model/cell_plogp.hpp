#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/link_table.hpp>
#include <postage/model/properties.hpp>

#include <algorithm>

namespace postage {

struct CellPLogPLink {
  CostCurve latency;       ///< L(m), with the overheads and, for data, the address's message in it
  CostCurve gap;           ///< g(m): a further message that leaves before the one before it has arrived
  CostSurface contention;  ///< C(m, n), s: over size and number n of messages that cross the channel, both directions
  Seconds gap_of_ack = 0;  ///< g_Ack(1): between acknowledgements, which overlap with messages; it bounds X
  Bytes congests_from = 256;  ///< up to this size C is 0 ...
  double free_messages = 2;   ///< ... and up to so many messages: those that the paper found (section 4)

  /// C(m, n) where m and n are above the thresholds, else 0.
  [[nodiscard]] Seconds congestion(Bytes bytes, double messages) const {
    return bytes > congests_from && messages > free_messages ? contention.at(static_cast<double>(bytes), messages) : 0;
  }
};

/// Q. Ali, S. P. Midkiff, V. S. Pai, Modeling Advanced Collective Communication Algorithms on Cell-based Systems, PPoPP
/// 2010, section 3: PLogP with the overheads folded into L(m), a contention term C(m, n), and a set of parameters for
/// each level: L_1, g_1 on a chip, L_2, g_2 and C across the two chips of a blade, L_3 and L_4 beyond it. The smallest
/// message, written 1 in the paper, has 16 bytes ("the smallest DMA transfer possible"); an empty one is such a
/// message. gamma is the time of combining a byte.
///
/// n counts the messages in both directions, those of one rank to or from several once: the gap g keeps those apart.
struct CellPLogP {
  static constexpr Bytes kSmallest = 16;
  static constexpr ModelProperties kProperties{
      .feels_contention = true, .gets_data = true, .counts_both_directions = true};

  LinkTable<CellPLogPLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const CellPLogPLink& link = links.at(question);
    const auto size = static_cast<double>(std::max(question.bytes, kSmallest));
    return {.wire = link.latency.at(size) + link.congestion(question.bytes, question.concurrency + question.opposing),
            .gap = link.gap.at(size),
            .gap_of_acks = link.gap_of_ack};
  }
};

}  // namespace postage
