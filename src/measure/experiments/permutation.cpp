#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"
#include "measure/permutations.hpp"

#include <algorithm>

namespace postage::experiments {
namespace {

constexpr int kPermutationOrder = 60;

class Permutation final : public GroupTask {
 public:
  Permutation(TaskContext& context, const Experiment& experiment)
      : GroupTask(context, experiment, mean_or_longest(context)) {
    RankGroup ascending = members_;
    std::sort(ascending.begin(), ascending.end());
    for (std::size_t i = 0; i < ascending.size(); ++i) {
      if (ascending[i] == transport_.rank()) {
        to_ = members_[i];
      }
      if (members_[i] == transport_.rank()) {
        from_ = ascending[i];
      }
    }
  }

 private:
  void operate() override {
    if (to_ != transport_.rank()) {
      exchange(transport_, out_, to_, in_, from_, kDataTag);
    }
  }

  Rank to_ = 0;
  Rank from_ = 0;
};

}  // namespace

ExperimentDescriptor permutation() {
  return {
      .name = "permutation",
      .description =
          "The i-th lowest member sends `bytes` to the i-th listed one and receives as many, all at once, a rank of "
          "each host: mean over the members of the time until each is done, on real machines the longest",
      .order = 115,
      .participants = Participants::kMembers,
      .least_ranks = 3,
      .options = {{"--permutation-sizes",
                   "One message from each host and one to each, in several orders, at once; from each of some to each; "
                   "and from each host in turn to all others"}},
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {
            at_each(kPermutationOrder, {.kind = ExperimentKind::kPermutation}, plan.sizes_of("--permutation-sizes"))};
      },
      .groups = permutations_of_hosts,
      .make_task = make_part<Permutation>,
  };
}

}  // namespace postage::experiments
