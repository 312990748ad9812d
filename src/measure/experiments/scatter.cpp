#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"
#include "measure/sweep_sizes.hpp"

namespace postage::experiments {
namespace {

constexpr int kScatterOrder = 10;

class Scatter final : public GroupTask {
 public:
  Scatter(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, longest) {}

 private:
  void operate() override { is_root() ? send_to_all() : transport_.receive(in_, e_.root, kDataTag); }

  void send_to_all() {
    for (const Rank member : members_) {
      if (member != e_.root) {
        transport_.send(out_, member, kDataTag);
      }
    }
  }
};

}  // namespace

ExperimentDescriptor scatter() {
  return {
      .name = "scatter",
      .description =
          "The root sends `bytes` to each other rank, in the order of ranks, one blocking send after the "
          "other: time until the slowest is done",
      .order = 150,
      .participants = Participants::kAllRanks,
      .options = {{"--sweep-sizes", "Linear scatter and gather"}},
      .stage = kSweepStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kScatterOrder, {.kind = ExperimentKind::kScatter}, sweep_sizes(plan))};
      },
      .make_task = make_part<Scatter>,
  };
}

}  // namespace postage::experiments
