#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kRingOrder = 20;

class Ring final : public GroupTask {
 public:
  Ring(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, longest) {}

 private:
  void operate() override { exchange(transport_, out_, after(1), in_, after(members_.size() - 1), kDataTag); }
};

}  // namespace

ExperimentDescriptor ring() {
  return {
      .name = "ring",
      .description =
          "Each of tau = members ranks sends `bytes` to the next one, the last to the first, and receives from the one "
          "before at the same time: time until the slowest is done",
      .order = 90,
      .participants = Participants::kMembers,
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kRingOrder, {.kind = ExperimentKind::kRing}, plan.sizes_of("--concurrent-sizes"))};
      },
      .groups = growing_rings,
      .make_task = make_part<Ring>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
