#pragma once

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <cstddef>
#include <vector>

namespace postage {

/// A transfer in the company of the others of its round.
struct SharedTransfer {
  ChannelId channel = 0;
  Bytes bytes = 0;
  /// Transfers on its wire: inside a node all those of its channel; between nodes those that leave its source's node
  /// or enter its target's, whichever are more. 1 under a model without contention.
  double concurrency = 1;
  Seconds seconds = 0;
  Seconds alone = 0;  ///< what it would cost if it shared nothing
};

/// Rounds of one kind, which are equal but for the ranks that play the parts.
struct RoundCost {
  RoundPosition position{};  ///< of the first of them
  Index times = 1;           ///< how many there are
  Seconds seconds = 0;
  SharedTransfer slowest{};
};

/// What further segments add to a stage that is a pipeline: `times` times the work of the busiest rank.
struct PipelineCost {
  std::size_t stage = 0;
  Index times = 0;
  Seconds seconds = 0;
};

struct RoundTimes {
  Seconds seconds = 0;
  std::vector<RoundCost> rounds;
  std::vector<PipelineCost> pipelines;
};

/// Sums up a schedule round by round, as the published formulas do: each round begins when the slowest rank has done
/// with the one before, and every transfer is charged with those that share its node's memory or its node's network
/// card in that round (Rico-Gallego et al., tau-Lop, section 3). Within a round a rank's messages follow one another
/// at max(busy, gap), and the slowest of them adds the rest of its cost. Of a segmented stage the first segment goes
/// through all rounds; each further one costs what the busiest rank has to do for it, with all of the stage's
/// transfers under way at once.
///
/// Never sooner than `play` for models without contention, and equal where rounds are synchronous and equally long.
/// With block or cyclic mappings and parameters by channel only the nodes and iterations of different kinds are
/// visited: O(rounds * patterns * ranks a node), independent of P but for the number of rounds (a tree has O(log P); of
/// a ring's those that look alike count as one). With contention the load of each node to which one of those visited
/// sends, or from which it receives, is counted as well, at O(patterns * ranks a node) each; these are few where the
/// ranks of a node talk to those of another, and as many as the ranks visited where each talks to another node, as a
/// cyclic mapping does to a tree and a reflection to any. A tree's pipeline looks at all rounds for each such node.
/// Where M <= P / 8 ranks have parameters of their own, these and their partners are visited besides, O(M * patterns)
/// in each iteration that no earlier one is like; all P where all send to all, O(M log M) each. Elsewhere, and with
/// blocks whose sizes are listed, O(ranks * rounds). Block sizes that differ by an element are
/// taken as met on the nodes visited; so is the load of the busiest node, of which those visited may be one message
/// short where nodes are not full or a schedule's nodes are others than the mapping's. Throws Error where the mapping
/// is too small or a channel is unknown.
[[nodiscard]] RoundTimes sum_rounds(const Schedule& schedule, const ChannelMap& channels, const Model& model);

/// The same by visiting every rank in every iteration: the oracle of the above.
[[nodiscard]] RoundTimes sum_all_rounds(const Schedule& schedule, const ChannelMap& channels, const Model& model);

}  // namespace postage
