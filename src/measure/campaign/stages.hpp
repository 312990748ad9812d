#pragma once

#include "measure/campaign/refinement.hpp"

#include <postage/measure/campaign.hpp>
#include <postage/measure/concurrent_sets.hpp>

#include <span>
#include <vector>

namespace postage {

/// Experiments at sizes of which some are chosen while measuring: `shapes` at each of the sizes, in this order.
struct Curve {
  std::vector<Experiment> shapes;
  std::vector<Bytes> sizes;
  Refine rule = Refine::kNever;
};

/// Groups of ranks, set by set, that all make the same experiments, one after another. Shapes are experiments
/// without participants; a negative delay is chosen by the leader when it begins.
struct CampaignStage {
  std::vector<ConcurrentSet> sets;
  std::vector<Experiment> shapes;
  std::vector<Curve> curves{};

  /// All shapes: the fixed ones, then those of the curves.
  [[nodiscard]] std::vector<Experiment> all_shapes() const;
  /// Experiments of one sampling slot, before curves find further sizes.
  [[nodiscard]] std::size_t experiments() const;
  /// True where groups start together, so that they need a common clock.
  [[nodiscard]] bool has_groups() const;
};

/// Where the ranks run: the same on all ranks.
struct RankPlacements {
  std::vector<Node> nodes;
  std::vector<RankPlacement> ranks;

  [[nodiscard]] std::vector<int> host_of() const;
  [[nodiscard]] const char* channel(Rank a, Rank b) const {
    return channel_of(nodes, ranks[static_cast<std::size_t>(a)], ranks[static_cast<std::size_t>(b)]);
  }
};

/// The plan as stages, in the order in which they are made; `method` says how groups are timed. Throws UsageError where
/// it needs more ranks.
[[nodiscard]] std::vector<CampaignStage> stages_of(const CampaignPlan& plan, const RankPlacements& placements,
                                                   const MeasureSettings& settings, const std::string& method);

/// The control points: the first pair's.
[[nodiscard]] CampaignStage control_stage(const CampaignPlan& plan, const RankPlacements& placements);

/// The shape with messages of this size: in trains without delays and in overheads as many as messages_of_train and
/// messages_of_overhead say.
[[nodiscard]] Experiment at_size(Experiment shape, Bytes bytes);

/// The shape with these participants.
[[nodiscard]] Experiment with_participants(Experiment shape, const RankGroup& group);

/// Of `bytes` each: 32, but no more than 4 MiB in all where that leaves 4.
[[nodiscard]] int messages_of_train(Bytes bytes);

/// Of `bytes` each, to time what sending or receiving one keeps a rank: 8, so that the clock's tick does not show, but
/// no more than 8 KiB in all where that leaves 1, so that they fit what a sender may leave behind.
[[nodiscard]] int messages_of_overhead(Bytes bytes);

/// Disjoint pairs of the ranks that talk over the channel, as many as are found from the first rank on.
[[nodiscard]] std::vector<RankGroup> pairs_over(const RankPlacements& placements, const RankGroup& ranks,
                                                std::string_view channel);

/// A ring of `count` of the ranks in which each talks to the next over the channel; empty where none was found.
[[nodiscard]] RankGroup ring_over(const RankPlacements& placements, const RankGroup& ranks, std::string_view channel,
                                  std::size_t count);

}  // namespace postage
