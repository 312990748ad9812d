#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <vector>

namespace postage::experiments {
namespace {

constexpr int kPipelinedExchangeOrder = 24;
constexpr int kMessages = 8;

/// Both ranks do the same, the source a little later: ranks of collectives are not in step to the nanosecond, either.
class PipelinedExchange final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      transport_.receive({}, e_.target, kReplyTag);
      exchange_with(e_.target);
    });
  }

  void serve() override {
    transport_.send({}, e_.source, kReplyTag);
    exchange_with(e_.source);
  }

  void exchange_with(std::int32_t peer) {
    sends_.clear();
    Transport::Request receive = start_receive(peer);
    sends_.push_back(transport_.start_send(message(), peer, kDataTag));
    for (int n = 1; n < e_.messages; ++n) {
      const Transport::Request next = start_receive(peer);
      transport_.wait_all(std::span(&receive, 1));
      sends_.push_back(transport_.start_send(message(), peer, kDataTag));
      receive = next;
    }
    transport_.wait_all(std::span(&receive, 1));
    transport_.wait_all(sends_);
  }

  Transport::Request start_receive(std::int32_t peer) { return transport_.start_receive(received(), peer, kDataTag); }

  std::vector<Transport::Request> sends_;
};

}  // namespace

ExperimentDescriptor pipelined_exchange() {
  return {
      .name = "pipelined-exchange",
      .description =
          "Two ranks send `messages` messages to one another, each the next one when it has received one, without "
          "waiting for those that it sent, as collectives in segments do; the source starts when it hears that the "
          "target does: time until all are sent and received",
      .order = 37,
      .fields = {ExperimentField::kMessages},
      .options = {{"--pipelined-sizes", "Exchanges in segments"}},
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        PlannedExperiments planned;
        for (const int messages : {1, kMessages}) {
          planned.add(at_each(kPipelinedExchangeOrder,
                              {.kind = ExperimentKind::kPipelinedExchange, .messages = messages},
                              plan.sizes_of("--pipelined-sizes")));
        }
        return planned;
      },
      .make_task = make_part<PipelinedExchange>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
