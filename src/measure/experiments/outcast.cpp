#include "measure/experiment_descriptor.hpp"
#include "measure/experiments/outcast_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kOutcastOrder = 40;

}  // namespace

ExperimentDescriptor outcast() {
  return {
      .name = "outcast",
      .description =
          "The first member sends `bytes` to all others at once: mean over the others of the time until each "
          "has received",
      .order = 110,
      .participants = Participants::kMembers,
      .options = {{"--fan-sizes", "All to one, one to all, and two ranks that start together, over each channel"}},
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kOutcastOrder, {.kind = ExperimentKind::kOutcast}, plan.sizes_of("--fan-sizes"))};
      },
      .groups = one_with_its_peers_and_two,
      .make_task = make_part<OutcastTask>,
  };
}

}  // namespace postage::experiments
