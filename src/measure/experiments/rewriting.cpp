#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <postage/base/memory_copy.hpp>

namespace postage::experiments {
namespace {

constexpr int kRewritingOrder = 22;

class Rewriting final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  /// The messages are not in the time.
  Seconds sample(int inner) override {
    Seconds time = 0;
    for (int i = 0; i < inner; ++i) {
      transport_.send(message(), e_.target, kDataTag);
      transport_.receive({}, e_.target, kReplyTag);
      time += timed(1, [&] { move_memory(out_.data(), in_.data(), static_cast<Bytes>(out_.size())); });
    }
    return time / inner;
  }

  void serve() override {
    transport_.receive(received(), e_.source, kDataTag);
    transport_.send({}, e_.source, kReplyTag);
  }
};

}  // namespace

ExperimentDescriptor rewriting() {
  return {
      .name = "rewriting",
      .description =
          "The source sends `bytes`, is told that they have come, and copies as many others of its own over those "
          "that it sent, as the next run of a collective does: time of that copy",
      .order = 36,
      .options = {{"--rewriting-sizes", "Copying over memory that was sent"}},
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kRewritingOrder, {.kind = ExperimentKind::kRewriting}, plan.sizes_of("--rewriting-sizes"))};
      },
      .make_task = make_part<Rewriting>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
