#include "measure/experiment_descriptor.hpp"
#include "measure/overhead_messages.hpp"
#include "measure/pair_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kSendOverheadReplies = 31;
constexpr int kSendOverheadOrder = 40;  // with delayed receives, size by size

PlannedExperiments planned_send_overhead(const CampaignPlan& plan) {
  const Experiment shape{.kind = ExperimentKind::kSendOverhead};
  PlannedExperiments planned;
  planned.add(at_each(kSendOverheadReplies, empty_reply(0), plan.sizes_of("--overhead-sizes")));
  planned.add(at_each(kSendOverheadOrder, shape, plan.sizes_of("--overhead-sizes")));
  planned.curves = adaptive_curve(plan, 1, shape);
  return planned;
}

class SendOverhead final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  /// The receives and the reply are not in the time.
  Seconds sample(int /*inner*/) override {
    const Seconds start = transport_.now();
    for (int n = 0; n < e_.messages; ++n) {
      transport_.send(message(), e_.target, kDataTag);
    }
    const Seconds time = (transport_.now() - start) / e_.messages;
    transport_.receive({}, e_.target, kReplyTag);
    return time;
  }

  void serve() override {
    for (int n = 0; n < e_.messages; ++n) {
      transport_.receive(received(), e_.source, kDataTag);
    }
    transport_.send({}, e_.source, kReplyTag);
  }
};

}  // namespace

ExperimentDescriptor send_overhead() {
  return {
      .name = "send-overhead",
      .description =
          "The source sends `messages` messages one after another: the time that the sends keep it, over "
          "their number",
      .order = 50,
      .fields = {ExperimentField::kMessages},
      .options = {{"--overhead-sizes", "What sending and receiving keep a rank", "1"}},
      .plan = planned_send_overhead,
      .scale = choose_overhead_messages,
      .make_task = make_part<SendOverhead>,
  };
}

}  // namespace postage::experiments
