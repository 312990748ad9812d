#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/link_table.hpp>
#include <postage/model/properties.hpp>

#include <algorithm>

namespace postage {

struct CellPLogPLink {
  CostCurve latency;  ///< L(m), with the overheads in it
  CostCurve gap;      ///< g(m): a further message that leaves before the one before it has arrived
  CostSurface
      contention;  ///< C(m, n), s: over size and number n of messages that cross the channel, in both directions
  Seconds gap_of_ack = 0;  ///< g_Ack(1): between acknowledgements, which overlap with messages; it bounds X
};

/// Q. Ali, S. P. Midkiff, V. S. Pai, Modeling Advanced Collective Communication Algorithms on Cell-based Systems, PPoPP
/// 2010, section 3: PLogP with the overheads folded into L(m), a contention term C(m, n), and a set of parameters for
/// each level: L_1, g_1 on a chip, L_2, g_2 and C across the two chips of a blade, L_3 and L_4 beyond it. The smallest
/// message, written 1 in the paper, is what an empty one costs too. gamma is the time of combining a byte.
///
/// C was measured with n/2 messages in each direction, and one alone costs what two do ("BIF-1 equals BIF-2"): what
/// counts are those in the same direction. So n is twice the question's concurrency.
struct CellPLogP {
  static constexpr ModelProperties kProperties{.feels_contention = true, .counts_both_directions = true};

  LinkTable<CellPLogPLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const CellPLogPLink& link = links.at(question);
    const auto size = static_cast<double>(std::max<Bytes>(question.bytes, 1));
    return {.wire = link.latency.at(size) + link.contention.at(size, 2 * question.concurrency),
            .gap = link.gap.at(size)};
  }
};

}  // namespace postage
