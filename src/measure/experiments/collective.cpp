#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

#include <postage/measure/collective_data.hpp>

#include <functional>

namespace postage::experiments {
namespace {

constexpr int kCollectiveOrder = 10;

Experiment shape_of(const CollectiveRun& run) {
  return {.kind = ExperimentKind::kCollective,
          .bytes = run.bytes,
          .collective = std::string(name_of(run.collective)),
          .algorithm = run.algorithm,
          .segment_bytes = run.segment_bytes,
          .root = run.root};
}

PlannedExperiments planned_collective(const CampaignPlan& plan) {
  PlannedExperiments planned;
  for (const CollectiveRun& run : plan.collectives) {
    planned.shapes.push_back({kCollectiveOrder, planned.shapes.size(), shape_of(run)});
  }
  return planned;
}

/// The experiment's program, compiled when it is first asked for.
CompiledCollective& compiled(TaskContext& context, const Experiment& e) {
  const CollectiveRun run{parse_collective(e.collective), e.algorithm, e.bytes, e.segment_bytes, e.root};
  const auto [known, is_new] = context.programs.try_emplace(format_collective_run(run));
  if (is_new) {
    const Transport& transport = context.transport;
    known->second.schedule = schedule_of(run, transport.size());
    known->second.program =
        std::make_unique<RankProgram>(known->second.schedule, transport.rank(), ProgramOptions{.commutative = true});
  }
  return known->second;
}

class CollectiveTask final : public GroupTask {
 public:
  CollectiveTask(TaskContext& context, const Experiment& experiment)
      : GroupTask(context, experiment, longest, 0),
        compiled_(compiled(context, experiment)),
        element_bytes_(element_bytes_for(compiled_.schedule.collective, experiment.bytes)),
        buffers_{context.workspace.out(compiled_.program->send_bytes()),
                 context.workspace.in(compiled_.program->receive_bytes())},
        sum_(sum_of_elements(element_bytes_)) {}

 private:
  void operate() override {
    compiled_.program->run(transport_, buffers_, [&](std::span<const std::byte> left, std::span<std::byte> right) {
      sum_(left, right);
      transport_.account_for(static_cast<double>(left.size()) / sizeof(double));
    });
  }

  /// The first time, it runs on data that say where they came from. Throws Error where a wrong byte arrives.
  void prepare() override {
    if (compiled_.is_checked) {
      return;
    }
    CollectiveData data(compiled_.schedule, element_bytes_, transport_.rank(), *compiled_.program);
    compiled_.program->run(transport_, data.buffers(), data.sum());
    data.check();
    compiled_.is_checked = true;
  }

  CompiledCollective& compiled_;
  Bytes element_bytes_;
  RankBuffers buffers_;
  Reduction sum_;
};

}  // namespace

ExperimentDescriptor collective() {
  return {
      .name = "collective",
      .description = "A collective among all ranks, run by postage's executor: time until the slowest is done",
      .order = 170,
      .participants = Participants::kAllRanks,
      .least_ranks = 1,
      .fields = {ExperimentField::kCollective, ExperimentField::kAlgorithm, ExperimentField::kSegmentBytes},
      .options = {{"--collective",
                   "A collective to time, COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK]; may be repeated", "",
                   OptionForm::kCollective}},
      .stage = kCollectiveStage,
      .plan = planned_collective,
      .make_task = make_part<CollectiveTask>,
      .may_be_left_out = false,
  };
}

}  // namespace postage::experiments
