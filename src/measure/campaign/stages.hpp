#pragma once

#include "measure/experiment_descriptor.hpp"

#include <postage/measure/representatives.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Experiments at sizes of which some are chosen while measuring: `shapes` at each of the sizes, in this order.
struct Curve {
  std::vector<Experiment> shapes;
  std::vector<Bytes> sizes;
  Refine rule = Refine::kNever;
};

/// Groups of ranks, set by set, that all make the same experiments, one after another. Shapes are experiments without
/// participants; a negative delay is chosen by the leader when it begins.
struct CampaignStage {
  std::vector<ConcurrentSet> sets;
  std::vector<Experiment> shapes;
  std::vector<Curve> curves{};
  bool starts_together = false;  ///< groups need a common clock

  /// All shapes: the fixed ones, then those of the curves.
  [[nodiscard]] std::vector<Experiment> all_shapes() const;
  /// Experiments of one sampling slot, before curves find further sizes.
  [[nodiscard]] std::size_t experiments() const;
};

/// True where the plan has experiments between two or three ranks, for which it matters which are alike.
[[nodiscard]] bool asks_for_pairs(const CampaignPlan& plan);

/// "roundtrip, train": the kinds of the stage's experiments, in their order.
[[nodiscard]] std::string kinds_of(const CampaignStage& stage);

/// Who makes experiments: all ranks, or those that stand for others that are alike.
struct StageRanks {
  const RankPlacements& placements;
  const std::optional<Representatives>& representatives;
};

/// The plan as stages, in the order in which they are made; `method` says how groups are timed. Throws UsageError where
/// it needs more ranks.
[[nodiscard]] std::vector<CampaignStage> stages_of(const CampaignPlan& plan, const StageRanks& ranks,
                                                   const MeasureSettings& settings, const std::string& method);

/// The control points: the first pair's.
[[nodiscard]] CampaignStage control_stage(const CampaignPlan& plan, const RankPlacements& placements);

}  // namespace postage
