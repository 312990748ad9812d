#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kHandshakeOrder = 25;

class Handshake final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      send(e_.target, kDataTag);
      transport_.receive(received(), e_.target, kReplyTag);
    });
  }

  void serve() override {
    transport_.receive(received(), e_.source, kDataTag);
    send(e_.source, kReplyTag);
  }

  void send(std::int32_t target, int tag) {
    const Transport::Request request = transport_.start_rendezvous(message(), target, tag);
    transport_.wait_all(std::span(&request, 1));
  }
};

}  // namespace

ExperimentDescriptor handshake() {
  return {
      .name = "handshake",
      .description =
          "A roundtrip with equal replies, each message of which leaves only when it is awaited, whatever its size, as "
          "those of gets do (MPI_Issend)",
      .order = 35,
      .options = {{"--handshake-sizes", "Roundtrips whose messages are awaited"}},
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kHandshakeOrder, {.kind = ExperimentKind::kHandshake}, plan.sizes_of("--handshake-sizes"))};
      },
      .make_task = make_part<Handshake>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
