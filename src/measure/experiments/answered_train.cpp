#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <algorithm>
#include <vector>

namespace postage::experiments {
namespace {

constexpr int kRepliesOfAnsweredTrains = 34;
constexpr int kAnsweredTrains = 55;

/// 8 messages, but no more than 1 MiB in all where that leaves 4.
void choose_answered_messages(Experiment& e) {
  constexpr Bytes most_bytes = Bytes{1} << 20;
  e.messages = static_cast<int>(std::clamp<Bytes>(most_bytes / std::max<Bytes>(e.bytes, 1), 4, 8));
}

class AnsweredTrain final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    Seconds sum = 0;
    for (int i = 0; i < inner; ++i) {
      const Seconds start = transport_.now();
      requests_.clear();
      for (int n = 0; n < e_.messages; ++n) {
        requests_.push_back(transport_.start_send(message(), e_.target, kDataTag));
      }
      transport_.receive({}, e_.target, kReplyTag);
      sum += transport_.now() - start;
      transport_.wait_all(requests_);
      transport_.receive({}, e_.target, kReplyTag);  // the others have arrived
    }
    return sum / inner;
  }

  void serve() override {
    requests_.clear();
    for (int n = 0; n < e_.messages; ++n) {
      requests_.push_back(transport_.start_receive(received(), e_.source, kDataTag));
    }
    transport_.wait_all(std::span(requests_).first(1));
    transport_.send({}, e_.source, kReplyTag);
    transport_.wait_all(std::span(requests_).subspan(1));
    transport_.send({}, e_.source, kReplyTag);
  }

  std::vector<Transport::Request> requests_;
};

}  // namespace

ExperimentDescriptor answered_train() {
  return {
      .name = "answered-train",
      .description =
          "The source starts `messages` messages of `bytes`, all of which the target awaits, and the target answers "
          "the "
          "first one with 0 bytes when it has arrived: time at the source until that answer. Where messages move one "
          "after another it is a roundtrip's; where they share what they have in common, nearly a train's",
      .order = 45,
      .fields = {ExperimentField::kMessages},
      .options = {{"--answered-train-sizes", "Many messages in one direction, the first of which is answered"}},
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        PlannedExperiments planned;
        planned.add(at_each(kRepliesOfAnsweredTrains, empty_reply(0), plan.sizes_of("--answered-train-sizes")));
        planned.add(at_each(kAnsweredTrains, {.kind = ExperimentKind::kAnsweredTrain},
                            plan.sizes_of("--answered-train-sizes")));
        return planned;
      },
      .scale = choose_answered_messages,
      .make_task = make_part<AnsweredTrain>,
  };
}

}  // namespace postage::experiments
