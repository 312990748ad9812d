#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <postage/base/memory_copy.hpp>

namespace postage::experiments {
namespace {

constexpr int kCopyOrder = 10;

class Copy final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] { move_memory(in_.data(), out_.data(), static_cast<Bytes>(out_.size())); });
  }
};

}  // namespace

ExperimentDescriptor copy() {
  return {
      .name = "copy",
      .description =
          "At one rank: copying `bytes` from the memory that messages are sent from to that where they are "
          "received, as the executor does with a rank's own block: time of one pass",
      .order = 180,
      .participants = Participants::kOneRank,
      .least_ranks = 1,
      .options = {{"--copy-sizes", "Copying memory, and following a program, on one rank of each host"}},
      .stage = kHostStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kCopyOrder, {.kind = ExperimentKind::kCopy}, plan.sizes_of("--copy-sizes"))};
      },
      .make_task = make_part<Copy>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
