#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

#include <postage/measure/collective_data.hpp>

#include <algorithm>
#include <functional>

namespace postage::experiments {
namespace {

constexpr int kCollectiveOrder = 10;
constexpr std::string_view kContiguous = "0";

Experiment shape_of(const CollectiveRun& run) {
  return {.kind = ExperimentKind::kCollective,
          .bytes = run.bytes,
          .run_bytes = run.strides.is_contiguous() ? 0 : run.strides.run,
          .stride = run.strides.is_contiguous() ? 0 : run.strides.stride,
          .collective = std::string(name_of(run.collective)),
          .algorithm = run.algorithm,
          .segment_bytes = run.segment_bytes,
          .root = run.root,
          .ranks = run.ranks,
          .steps = run.steps};
}

/// Those without strides of their own have the plan's.
PlannedExperiments planned_collective(const CampaignPlan& plan) {
  const Bytes stride = plan.sizes_of("--stride", kContiguous).front();
  const Bytes run_bytes = plan.sizes_of("--run", kUsualRun).front();
  const Strides strides = parse_strides(std::to_string(stride), std::to_string(run_bytes));
  PlannedExperiments planned;
  for (CollectiveRun run : plan.collectives) {
    if (run.strides.is_contiguous()) {
      check_pieces(strides, run.bytes);
      run.strides = strides;
    }
    planned.shapes.push_back({kCollectiveOrder, planned.shapes.size(), shape_of(run)});
  }
  for (const CollectiveRun& run : plan.drawn) {
    planned.shapes.push_back({kCollectiveOrder, planned.shapes.size(), shape_of(run)});
  }
  return planned;
}

/// The run by the first algorithm that can do it: the library's collective has the same buffers.
CollectiveRun with_same_buffers(CollectiveRun run, Rank ranks) {
  if (run.is_library()) {
    const auto candidates = algorithms_of(run.collective);
    run.algorithm = std::find_if(candidates.begin(), candidates.end(), [&](const Algorithm& algorithm) {
                      return can_do(algorithm, ranks);
                    })->name;
  }
  return run;
}

/// The experiment's program, compiled when it is first asked for; none on ranks that have no part in it.
CompiledCollective& compiled(TaskContext& context, const CollectiveRun& run) {
  const auto [known, is_new] = context.programs.try_emplace(format_collective_run(run));
  const Rank rank = context.transport.rank();
  if (is_new && rank < run.ranks) {
    known->second.schedule = schedule_of(with_same_buffers(run, run.ranks), run.ranks);
    known->second.program = std::make_unique<RankProgram>(known->second.schedule, rank,
                                                          ProgramOptions{.commutative = true, .strides = run.strides});
  }
  return known->second;
}

Bytes send_bytes(const CompiledCollective& compiled) {
  return compiled.program ? compiled.program->send_bytes() : 0;
}

Bytes receive_bytes(const CompiledCollective& compiled) {
  return compiled.program ? compiled.program->receive_bytes() : 0;
}

class CollectiveTask final : public GroupTask {
 public:
  CollectiveTask(TaskContext& context, const Experiment& experiment)
      : GroupTask(context, experiment, longest, 0),
        run_(collective_run_of(experiment)),
        compiled_(compiled(context, run_)),
        buffers_{context.workspace.out(send_bytes(compiled_)), context.workspace.in(receive_bytes(compiled_))},
        sum_(sum_of_elements(element_bytes_for(run_), run_.strides)) {}

 private:
  void operate() override {
    perform(buffers_, [&](std::span<const std::byte> left, std::span<std::byte> right) {
      sum_(left, right);
      transport_.account_for(static_cast<double>(run_.strides.data_in(static_cast<Bytes>(left.size()))) /
                             sizeof(double));
    });
  }

  void perform(const RankBuffers& buffers, const Reduction& sum) {
    if (run_.is_library()) {
      transport_.call_library(library_call(run_, buffers));
    } else {
      compiled_.program->run(transport_, buffers, sum);
    }
  }

  /// The first time, a whole one runs on data that say where they came from. Throws Error where a wrong byte arrives.
  void prepare() override {
    if (compiled_.is_checked || run_.steps > 0) {
      return;
    }
    CollectiveData data(compiled_.schedule, element_bytes_for(run_), transport_.rank(), *compiled_.program,
                        run_.strides);
    perform(data.buffers(), data.sum());
    data.check();
    compiled_.is_checked = true;
  }

  CollectiveRun run_;
  CompiledCollective& compiled_;
  RankBuffers buffers_;
  Reduction sum_;
};

}  // namespace

ExperimentDescriptor collective() {
  return {
      .name = "collective",
      .description =
          "A collective among all ranks or the first few, run by postage's executor or, as the algorithm `library`, by "
          "the MPI "
          "library: time until the slowest is done; strided buffers hold pieces of `run_bytes` bytes, `stride` "
          "bytes from start to start, sent with derived datatypes",
      .order = 170,
      .participants = Participants::kAllRanks,
      .least_ranks = 1,
      .fields = {ExperimentField::kCollective, ExperimentField::kAlgorithm, ExperimentField::kSegmentBytes,
                 ExperimentField::kRunBytes, ExperimentField::kStride, ExperimentField::kSteps},
      .options = {{"--collective",
                   "A collective to time, "
                   "COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK][:ranks=P][:steps=N][:stride=SIZE][:run=SIZE]; the "
                   "algorithm 'library' is the MPI library's own; may be repeated",
                   "", OptionForm::kCollective},
                  {"--stride", "Bytes from run to run of the collectives' buffers; 0 for contiguous ones", kContiguous,
                   OptionForm::kOneSize}},
      .stage = kCollectiveStage,
      .plan = planned_collective,
      .make_task = make_part<CollectiveTask>,
      .may_be_left_out = false,
  };
}

}  // namespace postage::experiments
