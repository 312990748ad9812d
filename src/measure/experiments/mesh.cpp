#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"
#include "measure/permutations.hpp"

#include <algorithm>

namespace postage::experiments {
namespace {

constexpr int kMeshOrder = 62;

class Mesh final : public GroupTask {
 public:
  /// What comes in at once needs memory of its own.
  Mesh(TaskContext& context, const Experiment& experiment)
      : GroupTask(context, experiment, mean_or_longest(context), experiment.bytes,
                  static_cast<Bytes>(experiment.members.size()) - 1) {}

 private:
  void operate() override {
    requests_.clear();
    for (std::size_t i = 1; i < members_.size(); ++i) {
      const auto part = in_.subspan((i - 1) * out_.size(), out_.size());
      requests_.push_back(transport_.start_receive(part, after(members_.size() - i), kDataTag));
    }
    for (std::size_t i = 1; i < members_.size(); ++i) {
      requests_.push_back(transport_.start_send(out_, after(i), kDataTag));
    }
    transport_.wait_all(requests_);
  }

  std::vector<Transport::Request> requests_;
};

}  // namespace

ExperimentDescriptor mesh() {
  return {
      .name = "mesh",
      .description =
          "Each member sends `bytes` to each other one, first to those listed next, all at once, a rank of each host: "
          "mean over the members of the time until each is done, on real machines the longest",
      .order = 117,
      .participants = Participants::kMembers,
      .least_ranks = 4,
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kMeshOrder, {.kind = ExperimentKind::kMesh}, plan.sizes_of("--permutation-sizes"))};
      },
      .groups = meshes_of_hosts,
      .make_task = make_part<Mesh>,
  };
}

}  // namespace postage::experiments
