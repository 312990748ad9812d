#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <postage/measure/collective_data.hpp>

namespace postage::experiments {
namespace {

constexpr int kReductionOrder = 30;

class ReductionTask final : public PairTask {
 public:
  ReductionTask(TaskContext& context, const Experiment& experiment)
      : PairTask(context, experiment),
        addends_(size(experiment.bytes) / sizeof(double), 1e-300),
        sums_(addends_.size(), 1.0) {}

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      sum_(std::as_bytes(std::span(addends_)), std::as_writable_bytes(std::span(sums_)));
      transport_.account_for(static_cast<double>(addends_.size()));
    });
  }

  std::vector<double> addends_;
  std::vector<double> sums_;
  Reduction sum_ = sum_of_elements(sizeof(double));
};

}  // namespace

ExperimentDescriptor reduction() {
  return {
      .name = "reduction",
      .description =
          "At one rank: adding `bytes` of double precision numbers to as many others, by the function that "
          "timed collectives reduce with: time of one pass",
      .order = 200,
      .participants = Participants::kOneRank,
      .least_ranks = 1,
      .options = {{"--reduction-sizes", "Adding vectors on one rank of each host"}},
      .stage = kHostStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kReductionOrder, {.kind = ExperimentKind::kReduction}, plan.sizes_of("--reduction-sizes"))};
      },
      .make_task = make_part<ReductionTask>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
