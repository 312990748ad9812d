#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kHandshakeEchoOrder = 26;

class HandshakeEcho final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      pass_on(e_.target, kDataTag);
      transport_.receive(in_, e_.target, kReplyTag);
    });
  }

  void serve() override {
    transport_.receive(in_, e_.source, kDataTag);
    pass_on(e_.source, kReplyTag);
  }

  void pass_on(std::int32_t target, int tag) {
    const Transport::Request request = transport_.start_rendezvous(in_, target, tag);
    transport_.wait_all(std::span(&request, 1));
  }
};

}  // namespace

ExperimentDescriptor handshake_echo() {
  return {
      .name = "handshake-echo",
      .description =
          "An echo whose messages leave only when they are awaited, whatever their size: those of gets whose bytes "
          "were written since they were last sent",
      .order = 38,
      .options = {{"--handshake-echo-sizes",
                   "Roundtrips that pass on what was received, of messages that are awaited"}},
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kHandshakeEchoOrder, {.kind = ExperimentKind::kHandshakeEcho},
                        plan.sizes_of("--handshake-echo-sizes"))};
      },
      .make_task = make_part<HandshakeEcho>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
