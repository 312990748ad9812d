#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kSynchronisedExchangeOrder = 60;

class SynchronisedExchange final : public GroupTask {
 public:
  SynchronisedExchange(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, longest) {}

 private:
  void operate() override { exchange_with_partner(); }
};

}  // namespace

ExperimentDescriptor synchronised_exchange() {
  return {
      .name = "synchronised-exchange",
      .description =
          "Two ranks send `bytes` to one another once, starting together, where those of a butterfly follow one "
          "another: time until the slower one is done",
      .order = 130,
      .participants = Participants::kMembers,
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kSynchronisedExchangeOrder, {.kind = ExperimentKind::kSynchronisedExchange},
                        plan.sizes_of("--fan-sizes"))};
      },
      .groups = one_pair,
      .make_task = make_part<SynchronisedExchange>,
  };
}

}  // namespace postage::experiments
