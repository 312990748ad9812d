#include "measure/experiment_descriptor.hpp"
#include "measure/group_task.hpp"

namespace postage::experiments {
namespace {

constexpr int kOutcastOrder = 40;

class Outcast final : public GroupTask {
 public:
  Outcast(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, mean_of_others) {}

 private:
  void operate() override { is_first() ? send_to_all() : transport_.receive(in_, members_.front(), kDataTag); }

  /// A lone message is sent as schedules do it: by a call that waits.
  void send_to_all() {
    if (members_.size() == 2) {
      return transport_.send(out_, members_.back(), kDataTag);
    }
    requests_.clear();
    for (std::size_t i = 1; i < members_.size(); ++i) {
      requests_.push_back(transport_.start_send(out_, members_[i], kDataTag));
    }
    transport_.wait_all(requests_);
  }

  std::vector<Transport::Request> requests_;
};

}  // namespace

ExperimentDescriptor outcast() {
  return {
      .name = "outcast",
      .description =
          "The first member sends `bytes` to all others at once: mean over the others of the time until each "
          "has received",
      .order = 110,
      .participants = Participants::kMembers,
      .options = {{"--fan-sizes", "All to one, one to all, and two ranks that start together, over each channel"}},
      .stage = kChannelStage,
      .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
        return {at_each(kOutcastOrder, {.kind = ExperimentKind::kOutcast}, plan.sizes_of("--fan-sizes"))};
      },
      .groups = one_with_its_peers_and_two,
      .make_task = make_part<Outcast>,
  };
}

}  // namespace postage::experiments
