#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <algorithm>
#include <utility>

namespace postage::experiments {
namespace {

constexpr int kEqualReplies = 10;
constexpr int kSteps = 20;
constexpr int kEmptyReplies = 30;

PlannedExperiments planned_roundtrip(const CampaignPlan& plan) {
  const Experiment equal_reply{.kind = ExperimentKind::kRoundtrip, .reply_bytes = 1};
  PlannedExperiments planned;
  planned.add(at_each(kEqualReplies, equal_reply, plan.sizes_of("--sizes")));
  planned.add(at_each(kEmptyReplies, empty_reply(0), plan.sizes_of("--reply-sizes")));
  planned.curves = adaptive_curve(plan, 0, empty_reply(0));
  if (std::vector<Bytes> sizes = plan.sizes_of("--step-sizes"); !sizes.empty()) {
    std::sort(sizes.begin(), sizes.end());
    planned.curves.push_back({kSteps, planned.curves.size(), equal_reply, std::move(sizes), Refine::kWhereItSteps});
  }
  return planned;
}

/// Of another size, a roundtrip whose reply is not empty has one as long as its message.
void reply_equally(Experiment& experiment) {
  experiment.reply_bytes = experiment.reply_bytes > 0 ? experiment.bytes : 0;
}

class Roundtrip final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      transport_.send(message(), e_.target, kDataTag);
      transport_.receive(in_.first(size(e_.reply_bytes)), e_.target, kReplyTag);
    });
  }

  void serve() override {
    transport_.receive(received(), e_.source, kDataTag);
    transport_.send(out_.first(size(e_.reply_bytes)), e_.source, kReplyTag);
  }
};

}  // namespace

ExperimentDescriptor roundtrip() {
  return {
      .name = "roundtrip",
      .description =
          "The source sends `bytes`, the target replies `reply_bytes`: time at the source from before the "
          "send to after the receive",
      .order = 10,
      .fields = {ExperimentField::kReplyBytes},
      .options = {{"--sizes", "Roundtrips with equal replies", "1:4M:x2"},
                  {"--step-sizes",
                   "Roundtrips with equal replies; where two that are closer than a tenth differ by three tenths, "
                   "sizes between"},
                  {"--reply-sizes", "Roundtrips with empty replies"}},
      .plan = planned_roundtrip,
      .scale = reply_equally,
      .make_task = make_part<Roundtrip>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
