#include "measure/experiment_descriptor.hpp"
#include "measure/experiments/outcast_task.hpp"
#include "measure/permutations.hpp"

namespace postage::experiments {
namespace {

constexpr int kHostOutcastOrder = 64;

}  // namespace

ExperimentDescriptor host_outcast() {
  return {
      .name = "host-outcast",
      .description =
          "The first member, the first rank of each host in turn, sends `bytes` to all others at once, a rank of each "
          "other host: mean over the others of the time until each has received",
      .order = 118,
      .participants = Participants::kMembers,
      .least_ranks = 3,
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {
            at_each(kHostOutcastOrder, {.kind = ExperimentKind::kHostOutcast}, plan.sizes_of("--permutation-sizes"))};
      },
      .groups = outcasts_of_hosts,
      .make_task = make_part<OutcastTask>,
  };
}

}  // namespace postage::experiments
