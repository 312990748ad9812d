#pragma once

#include "measure/group_task.hpp"

namespace postage {

/// The first member sends to all others at once.
class OutcastTask final : public GroupTask {
 public:
  OutcastTask(TaskContext& context, const Experiment& experiment) : GroupTask(context, experiment, mean_of_others) {}

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

}  // namespace postage
