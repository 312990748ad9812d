#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <postage/measure/collective_data.hpp>
#include <postage/transport/idle_transport.hpp>

#include <algorithm>

namespace postage::experiments {
namespace {

constexpr int kProgramOrder = 20;
constexpr Bytes kSmallMessage = 8;
/// As between two repetitions of what ranks start together.
constexpr Seconds kPause = 20e-6;

/// Once, where copies are asked for.
PlannedExperiments planned_program(const CampaignPlan& plan) {
  if (plan.sizes_of("--copy-sizes").empty()) {
    return {};
  }
  return {{{kProgramOrder, 0, {.kind = ExperimentKind::kProgram, .bytes = kSmallMessage}}}};
}

class Program final : public PairTask {
 public:
  Program(TaskContext& context, const Experiment& experiment)
      : PairTask(context, experiment),
        program_(schedule_of({Collective::kBcast, "linear", experiment.bytes}, idle_.size()), idle_.rank()) {}

 private:
  /// Without what it takes to read the clock.
  Seconds sample(int /*inner*/) override {
    transport_.wait_until(transport_.now() + kPause);
    const Seconds begin = transport_.now();
    program_.run(idle_, {out_, in_});
    const Seconds end = transport_.now();
    return std::max(2 * end - begin - transport_.now(), 0.0);
  }

  IdleTransport idle_{0, 2};
  RankProgram program_;
};

}  // namespace

ExperimentDescriptor program() {
  return {
      .name = "program",
      .description =
          "At one rank: what postage's executor takes by itself for a message of `bytes` that is sent, after "
          "a pause, as collectives start: over a transport on which nothing happens",
      .order = 190,
      .participants = Participants::kOneRank,
      .least_ranks = 1,
      .stage = kHostStage,
      .plan = planned_program,
      .make_task = make_part<Program>,
  };
}

}  // namespace postage::experiments
