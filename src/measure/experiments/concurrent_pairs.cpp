#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kConcurrentPairsOrder = 10;

class ConcurrentPairs final : public GroupTask {
 public:
  ConcurrentPairs(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, longest) {}

 private:
  void operate() override { send_and_answer(); }
};

}  // namespace

ExperimentDescriptor concurrent_pairs() {
  return {
      .name = "concurrent-pairs",
      .description =
          "tau = members/2 pairs (0, 1), (2, 3), ... at once, each a roundtrip of `bytes`, equal both ways: time until "
          "the slowest pair is done, a roundtrip's time when tau share the channel",
      .order = 80,
      .participants = Participants::kMembers,
      .options = {{"--concurrent-sizes", "Pairs and rings at once over each channel"}},
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kConcurrentPairsOrder, {.kind = ExperimentKind::kConcurrentPairs},
                        plan.sizes_of("--concurrent-sizes"))};
      },
      .groups = growing_groups_of_pairs,
      .make_task = make_part<ConcurrentPairs>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
