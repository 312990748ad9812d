#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/link_table.hpp>
#include <postage/model/properties.hpp>

#include <algorithm>
#include <optional>

namespace postage {

struct CellPLogPLink {
  /// The smallest message, written 1 in the paper: "the smallest DMA transfer possible".
  static constexpr Bytes kSmallest = 16;

  CostCurve latency;       ///< L(m) of data, with the overheads and the address's message in it (figure 3b)
  CostCurve gap;           ///< g(m): a further message that leaves before the one before it has arrived
  CostSurface contention;  ///< C(m, n), s: over size and number n of messages that cross the channel, both directions
  Seconds gap_of_ack = 0;  ///< g_Ack(1): between acknowledgements, which overlap with messages; it bounds X
  /// L(1) of an acknowledgement or signal, which has no address (figure 3a); L(16) where it is not given.
  std::optional<Seconds> latency_of_ack{};
  Bytes congests_from = 256;  ///< up to this size C is 0 ...
  double free_messages = 2;   ///< ... and up to so many messages: those that the paper found (section 4)

  /// L(m), and L(1) for 0 bytes: a message without data.
  [[nodiscard]] Seconds latency_of(Bytes bytes) const {
    return bytes == 0 && latency_of_ack ? *latency_of_ack : latency.at(static_cast<double>(std::max(bytes, kSmallest)));
  }
  [[nodiscard]] Seconds gap_of(Bytes bytes) const { return gap.at(static_cast<double>(std::max(bytes, kSmallest))); }

  /// C(m, n) where m and n are above the thresholds, else 0.
  [[nodiscard]] Seconds congestion(Bytes bytes, double messages) const {
    return bytes > congests_from && messages > free_messages ? contention.at(static_cast<double>(bytes), messages) : 0;
  }
};

/// Q. Ali, S. P. Midkiff, V. S. Pai, Modeling Advanced Collective Communication Algorithms on Cell-based Systems, PPoPP
/// 2010, section 3: PLogP with the overheads folded into L(m), a contention term C(m, n), and a set of parameters for
/// each level: L_1, g_1 on a chip, L_2, g_2 and C across the two chips of a blade, L_3 and L_4 beyond it. A message
/// without data is one of 16 bytes without an address. gamma is the time of combining a byte.
///
/// n counts the messages in both directions, those of one rank to or from several once: the gap g keeps those apart.
struct CellPLogP {
  static constexpr ModelProperties kProperties{
      .feels_contention = true, .gets_data = true, .counts_both_directions = true};

  LinkTable<CellPLogPLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const CellPLogPLink& link = links.at(question);
    return {.wire = link.latency_of(question.bytes) +
                    link.congestion(question.bytes, question.concurrency + question.opposing),
            .gap = link.gap_of(question.bytes),
            .gap_of_acks = link.gap_of_ack};
  }
};

}  // namespace postage
