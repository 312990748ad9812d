#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"
#include "measure/sweep_sizes.hpp"

namespace postage::experiments {
namespace {

constexpr int kGatherOrder = 20;

PlannedExperiments planned_gather(const CampaignPlan& plan) {
  const std::vector<Bytes> sizes = sweep_sizes(plan);
  if (sizes.empty()) {
    return {};
  }
  return {.curves = {{kGatherOrder, 0, {.kind = ExperimentKind::kGather}, sizes, Refine::kWhereItLeaps}}};
}

class Gather final : public GroupTask {
 public:
  Gather(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, longest) {}

 private:
  void operate() override { is_root() ? receive_from_all() : transport_.send(out_, e_.root, kDataTag); }

  void receive_from_all() {
    for (const Rank member : members_) {
      if (member != e_.root) {
        transport_.receive(in_, member, kDataTag);
      }
    }
  }
};

}  // namespace

ExperimentDescriptor gather() {
  return {
      .name = "gather",
      .description =
          "Each other rank sends `bytes` to the root, which receives them in the order of ranks: time until "
          "the slowest is done",
      .order = 160,
      .participants = Participants::kAllRanks,
      .stage = kSweepStage,
      .plan = planned_gather,
      .make_task = make_part<Gather>,
  };
}

}  // namespace postage::experiments
