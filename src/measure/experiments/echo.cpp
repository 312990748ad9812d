#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kEchoOrder = 20;

class Echo final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      transport_.send(in_, e_.target, kDataTag);
      transport_.receive(in_, e_.target, kReplyTag);
    });
  }

  void serve() override {
    transport_.receive(in_, e_.source, kDataTag);
    transport_.send(in_, e_.source, kReplyTag);
  }
};

}  // namespace

ExperimentDescriptor echo() {
  return {
      .name = "echo",
      .description =
          "A roundtrip with equal replies in which each rank passes on what it received: bytes that were "
          "written since they were last sent, and that may lie in another processor's cache",
      .order = 30,
      .options = {{"--echo-sizes", "Roundtrips that pass on what was received"}},
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kEchoOrder, {.kind = ExperimentKind::kEcho}, plan.sizes_of("--echo-sizes"))};
      },
      .make_task = make_part<Echo>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
