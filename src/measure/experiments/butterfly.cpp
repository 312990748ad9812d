#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kButterflyOrder = 30;

class Butterfly final : public GroupTask {
 public:
  Butterfly(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, mean_of_all) {}

 private:
  void operate() override { exchange_with_partner(); }
};

}  // namespace

ExperimentDescriptor butterfly() {
  return {
      .name = "butterfly",
      .description =
          "The pairs (0, 1), (2, 3), ... send `bytes` both ways at once: n = members messages cross; mean time over "
          "all members",
      .order = 120,
      .participants = Participants::kMembers,
      .options = {{"--butterfly-sizes", "Messages both ways between pairs at once over each channel"}},
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kButterflyOrder, {.kind = ExperimentKind::kButterfly}, plan.sizes_of("--butterfly-sizes"))};
      },
      .groups =
          [](const ChannelRanks& channel) {
            std::vector<GroupList> lists{groups_of_pairs(channel, 1)};
            for (GroupList& list : growing_groups_of_pairs(channel)) {
              lists.push_back(std::move(list));
            }
            return lists;
          },
      .make_task = make_part<Butterfly>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
