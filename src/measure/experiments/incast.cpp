#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kIncastOrder = 50;

class Incast final : public GroupTask {
 public:
  /// What comes in at once needs memory of its own.
  Incast(TaskContext& context, const Experiment& experiment)
      : GroupTask(context, experiment, first_of, experiment.bytes,
                  experiment.members.front() == context.transport.rank()
                      ? static_cast<Bytes>(experiment.members.size()) - 1
                      : 1) {}

 private:
  void operate() override { is_first() ? receive_from_all() : transport_.send(out_, members_.front(), kDataTag); }

  /// A lone message is received as schedules do it: by a call that waits.
  void receive_from_all() {
    if (members_.size() == 2) {
      return transport_.receive(in_, members_.back(), kDataTag);
    }
    requests_.clear();
    for (std::size_t i = 1; i < members_.size(); ++i) {
      const auto part = in_.subspan((i - 1) * out_.size(), out_.size());
      requests_.push_back(transport_.start_receive(part, members_[i], kDataTag));
    }
    transport_.wait_all(requests_);
  }

  std::vector<Transport::Request> requests_;
};

}  // namespace

ExperimentDescriptor incast() {
  return {
      .name = "incast",
      .description =
          "All others send `bytes` to the first member at once: time at the first, until it has received all",
      .order = 100,
      .participants = Participants::kMembers,
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kIncastOrder, {.kind = ExperimentKind::kIncast}, plan.sizes_of("--fan-sizes"))};
      },
      .groups = one_with_its_peers_and_one,
      .make_task = make_part<Incast>,
  };
}

}  // namespace postage::experiments
