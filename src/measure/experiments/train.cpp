#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <algorithm>

namespace postage::experiments {
namespace {

constexpr int kRepliesOfTrains = 32;
constexpr int kRepliesOfDelayed = 33;
constexpr int kTrains = 50;
constexpr int kDelayed = 60;
constexpr int kDelayedMessages = 8;

/// Of trains without delays: 32 messages, but no more than 4 MiB in all where that leaves 4.
void choose_messages(Experiment& e) {
  constexpr Bytes most_bytes = Bytes{4} << 20;
  if (e.delay == 0) {
    e.messages = static_cast<int>(std::clamp<Bytes>(most_bytes / std::max<Bytes>(e.bytes, 1), 4, 32));
  }
}

PlannedExperiments planned_train(const CampaignPlan& plan) {
  const Experiment saturating{.kind = ExperimentKind::kTrain};
  const Experiment delayed{.kind = ExperimentKind::kTrain, .messages = kDelayedMessages, .delay = kChosenLater};
  PlannedExperiments planned;
  planned.add(at_each(kRepliesOfTrains, empty_reply(0), plan.sizes_of("--train-sizes")));
  planned.add(at_each(kRepliesOfDelayed, empty_reply(0), plan.sizes_of("--delayed-sizes")));
  planned.add(at_each(kTrains, saturating, plan.sizes_of("--train-sizes")));
  planned.add(at_each(kDelayed, delayed, plan.sizes_of("--delayed-sizes")));
  planned.curves = adaptive_curve(plan, 3, saturating);
  return planned;
}

class Train final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      send_all();
      transport_.receive({}, e_.target, kReplyTag);
    });
  }

  void serve() override {
    for (int n = 0; n < e_.messages; ++n) {
      transport_.receive(received(), e_.source, kDataTag);
    }
    transport_.send({}, e_.source, kReplyTag);
  }

  void send_all() {
    requests_.clear();
    for (int n = 0; n < e_.messages; ++n) {
      if (n > 0 && e_.delay > 0) {
        transport_.wait_until(transport_.now() + e_.delay);
      }
      requests_.push_back(transport_.start_send(message(), e_.target, kDataTag));
    }
    transport_.wait_all(requests_);
  }

  std::vector<Transport::Request> requests_;
};

}  // namespace

ExperimentDescriptor train() {
  return {
      .name = "train",
      .description =
          "PRTT(n, d, s) of Kielmann et al.: the source starts n = `messages` messages of s = `bytes`, "
          "waiting d = `delay` seconds between each two, and the target replies with 0 bytes when it has "
          "received all: time at the source from before the first send to after the reply. Large n and no "
          "delay saturate the link",
      .order = 40,
      .fields = {ExperimentField::kMessages, ExperimentField::kDelay},
      .options = {{"--train-sizes", "One and many messages in one direction", "1,1K,64K"},
                  {"--delayed-sizes", "Trains with delays between messages"}},
      .plan = planned_train,
      .scale = choose_messages,
      .delay = [](const Experiment&, Seconds reply) { return reply; },
      .make_task = make_part<Train>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
