#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kOneToTwoReplies = 34;
constexpr int kOneToTwoOrder = 10;

PlannedExperiments planned_one_to_two(const CampaignPlan& plan) {
  PlannedExperiments planned;
  planned.add(at_each(kOneToTwoReplies, empty_reply(0), plan.sizes_of("--one-to-two-sizes")));
  planned.add(at_each(kOneToTwoOrder, {.kind = ExperimentKind::kOneToTwo}, plan.sizes_of("--one-to-two-sizes")));
  return planned;
}

class OneToTwo final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      transport_.send(message(), e_.target, kDataTag);
      transport_.send(message(), e_.second_target, kDataTag);
      transport_.receive({}, e_.target, kReplyTag);
      transport_.receive({}, e_.second_target, kReplyTag);
    });
  }

  void serve() override {
    transport_.receive(received(), e_.source, kDataTag);
    transport_.send({}, e_.source, kReplyTag);
  }
};

}  // namespace

ExperimentDescriptor one_to_two() {
  return {
      .name = "one-to-two",
      .description =
          "The source sends `bytes` to the target, then to the second target, and receives 0 bytes from "
          "each, in this order: time at the source",
      .order = 70,
      .participants = Participants::kTriple,
      .least_ranks = 3,
      .options = {{"--one-to-two-sizes", "One rank to two others"}},
      .stage = kTripleStage,
      .plan = planned_one_to_two,
      .make_task = make_part<OneToTwo>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
