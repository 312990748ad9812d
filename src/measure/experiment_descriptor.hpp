#pragma once

#include "measure/campaign/refinement.hpp"
#include "measure/channel_ranks.hpp"
#include "measure/task.hpp"

#include <postage/measure/campaign.hpp>
#include <postage/measure/plan_options.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace postage {

/// Who takes part in an experiment.
enum class Participants {
  kOneRank,   ///< source, on each host
  kPair,      ///< source and target: see pairs_to_measure
  kTriple,    ///< source, target, second_target: see triplets_to_measure
  kMembers,   ///< a group that starts together and whose messages go over one channel
  kAllRanks,  ///< starting together
};

/// A shape is an experiment without participants. Those that the same ranks make follow one another by `order`, then by
/// `index`, then by the order of their kinds.
struct PlannedShape {
  int order = 0;
  std::size_t index = 0;
  Experiment shape;
};

/// A shape at sizes of which some are chosen while measuring. Shapes of the same order grow together.
struct PlannedCurve {
  int order = 0;
  std::size_t index = 0;
  Experiment shape;
  std::vector<Bytes> sizes;
  Refine rule = Refine::kNever;
};

struct PlannedExperiments {
  std::vector<PlannedShape> shapes{};
  std::vector<PlannedCurve> curves{};

  void add(const std::vector<PlannedShape>& more) { shapes.insert(shapes.end(), more.begin(), more.end()); }
};

// Stages of a campaign, one after another. All kinds of one stage have the same participants, and are made by the same
// groups of ranks.
inline constexpr int kPairStage = 10;
inline constexpr int kTripleStage = 20;
inline constexpr int kChannelStage = 30;
inline constexpr int kSweepStage = 40;
inline constexpr int kCollectiveStage = 50;
inline constexpr int kHostStage = 60;

/// All that is known of a kind of experiment. A file in experiments/ defines one; the build finds it.
struct ExperimentDescriptor {
  std::string_view name;
  /// One sentence: between which moments its time lies.
  std::string_view description;
  /// Position of its measurements among those of one group in files. No two kinds have the same.
  int order = 0;
  Participants participants = Participants::kPair;
  /// Fewest ranks of a job in which it can be made.
  Rank least_ranks = 2;
  /// Fields that files hold beside kind, bytes and participants.
  ExperimentFields fields{};

  /// Options that it adds to the measuring programs.
  std::vector<PlanOption> options{};
  int stage = kPairStage;
  /// Shapes that the plan asks for: of this kind, and of others that it builds on.
  std::function<PlannedExperiments(const CampaignPlan&)> plan;
  /// Of members: the groups over one channel; those of one list work at the same time.
  std::function<std::vector<GroupList>(const ChannelRanks&)> groups{};
  /// Sets what follows from the size of a shape's messages.
  std::function<void(Experiment&)> scale{};
  /// Delay of a shape whose delay is negative, from the time of the roundtrip with an empty reply.
  std::function<Seconds(const Experiment&, Seconds)> delay{};

  /// The part of the calling rank, which is one of the participants: leader or partner.
  std::function<std::unique_ptr<Task>(TaskContext&, const Experiment&)> make_task;
  /// Short samples may be made of several repetitions, as none has to wait for all ranks.
  bool repeats_inside = false;
  /// Larger sizes may be left out where the budget is too short for them.
  bool may_be_left_out = true;

  [[nodiscard]] ExperimentKind kind() const;
};

/// All kinds, by their order: those of experiments/ and those that were registered.
[[nodiscard]] std::vector<const ExperimentDescriptor*> known_experiments();

/// Adds one; not while a campaign runs. Throws Error where its name or its order is taken, or its stage has other
/// participants.
void register_experiment(ExperimentDescriptor descriptor);

/// Throws Error where there is none of this kind.
[[nodiscard]] const ExperimentDescriptor& find_experiment(const ExperimentKind& kind);

/// The delay of a shape that its leader chooses when it begins.
inline constexpr Seconds kChosenLater = -1;

/// The shape with messages of this size.
[[nodiscard]] Experiment at_size(Experiment shape, Bytes bytes);

/// The shape with these participants.
[[nodiscard]] Experiment with_participants(Experiment shape, const RankGroup& group);

/// The shape at each of the sizes.
[[nodiscard]] std::vector<PlannedShape> at_each(int order, const Experiment& shape, const std::vector<Bytes>& sizes);

/// The roundtrip with an empty reply.
[[nodiscard]] Experiment empty_reply(Bytes bytes);

/// The shape at adaptive sizes up to the plan's largest; nothing where that is 0.
[[nodiscard]] std::vector<PlannedCurve> adaptive_curve(const CampaignPlan& plan, std::size_t index,
                                                       const Experiment& shape);

/// make_task of a class that is constructed from the same two arguments.
template <typename Part>
[[nodiscard]] std::unique_ptr<Task> make_part(TaskContext& context, const Experiment& experiment) {
  return std::make_unique<Part>(context, experiment);
}

}  // namespace postage
