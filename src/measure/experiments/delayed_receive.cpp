#include "measure/experiment_descriptor.hpp"
#include "measure/overhead_messages.hpp"
#include "measure/pair_task.hpp"

#include <algorithm>

namespace postage::experiments {
namespace {

constexpr int kDelayedReceiveOrder = 40;  // with send overheads, size by size
/// Messages that are to lie ready are given ten times the time of a roundtrip, but no more than so much longer than all
/// of them take one after the other.
constexpr Seconds kLongestSlack = 100e-6;

PlannedExperiments planned_delayed_receive(const CampaignPlan& plan) {
  const Experiment shape{.kind = ExperimentKind::kDelayedReceive, .delay = kChosenLater};
  return {at_each(kDelayedReceiveOrder, shape, plan.sizes_of("--overhead-sizes")), adaptive_curve(plan, 2, shape)};
}

class DelayedReceive final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  /// Receives are posted when their messages have certainly arrived.
  Seconds sample(int /*inner*/) override {
    transport_.send({}, e_.target, kRequestTag);
    transport_.wait_until(transport_.now() + e_.delay);
    const Seconds start = transport_.now();
    for (int n = 0; n < e_.messages; ++n) {
      transport_.receive(received(), e_.target, kDataTag);
    }
    return (transport_.now() - start) / e_.messages;
  }

  void serve() override {
    transport_.receive({}, e_.source, kRequestTag);
    for (int n = 0; n < e_.messages; ++n) {
      transport_.send(message(), e_.source, kDataTag);
    }
  }
};

}  // namespace

ExperimentDescriptor delayed_receive() {
  return {
      .name = "delayed-receive",
      .description =
          "The target sends `messages` messages to the source, which posts the receives only after `delay`, "
          "when they have come if they can without the receiver's help: the time that the receives keep "
          "the source, over their number",
      .order = 60,
      .fields = {ExperimentField::kMessages, ExperimentField::kDelay},
      .plan = planned_delayed_receive,
      .scale = choose_overhead_messages,
      .delay = [](const Experiment& e,
                  Seconds reply) { return e.messages * reply + std::min(9 * reply, kLongestSlack); },
      .make_task = make_part<DelayedReceive>,
  };
}

}  // namespace postage::experiments
