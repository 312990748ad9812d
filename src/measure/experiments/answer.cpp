#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kAnswerOrder = 70;

class Answer final : public GroupTask {
 public:
  Answer(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, longest) {}

 private:
  void operate() override { send_and_answer(); }
};

}  // namespace

ExperimentDescriptor answer() {
  return {
      .name = "answer",
      .description =
          "The first of two ranks sends `bytes` to the second, which sends as much back, once, starting together, "
          "where those of a roundtrip follow one another: time until the slower one is done",
      .order = 140,
      .participants = Participants::kMembers,
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kAnswerOrder, {.kind = ExperimentKind::kAnswer}, plan.sizes_of("--fan-sizes"))};
      },
      .groups = one_pair,
      .make_task = make_part<Answer>,
  };
}

}  // namespace postage::experiments
