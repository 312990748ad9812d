#include <postage/program/check.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// Follows what one rank does.
class OverlapCheck {
 public:
  explicit OverlapCheck(const Program& program) : program_(program) {}

  std::optional<std::string> find_mistake() {
    operate(program_.start);
    for (step_ = 0; step_ < program_.steps.size() && !mistake_; ++step_) {
      follow(program_.steps[step_]);
    }
    if (program_.waits_before_finish) {
      sending_.clear();
    }
    operate(program_.finish);
    return mistake_;
  }

 private:
  void follow(const Step& step) {
    if (step.waits_for_earlier_sends) {
      sending_.clear();
    }
    if (!step.receives_start_early) {
      post(step.receives);
    }
    operate(step.before_sends);
    send(step.sends);
    if (step_ + 1 < program_.steps.size() && program_.steps[step_ + 1].receives_start_early) {
      post(program_.steps[step_ + 1].receives);
    }
    operate(step.meanwhile);
    receiving_.erase(receiving_.begin(), receiving_.begin() + static_cast<std::ptrdiff_t>(step.receives.size()));
    if (step.waits_for_sends) {
      sending_.clear();
    }
    check_order(step);
    operate(step.after);
  }

  void send(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      check_read(message.where);
      sending_.push_back(message);
    }
  }

  void post(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      check_write(message.where);
      receiving_.push_back(message);
    }
  }

  void operate(const std::vector<LocalOperation>& operations) {
    for (const LocalOperation& operation : operations) {
      check_read(operation.from);
      check_write(operation.target());
    }
  }

  void check_read(const Region& region) { check_against(receiving_, region, "a message may still arrive"); }

  void check_write(const Region& region) {
    check_read(region);
    check_against(sending_, region, "the rank has not heard yet that it was read");
  }

  void check_against(const std::vector<Message>& under_way, const Region& region, const char* why) {
    const auto met = std::find_if(under_way.begin(), under_way.end(),
                                  [&](const Message& message) { return meet(message.where, region); });
    if (met != under_way.end()) {
      fail(fmt::format("touches {} bytes of a message {} rank {}: {}", region.bytes,
                       &under_way == &sending_ ? "to" : "from", met->peer, why));
    }
  }

  void check_order(const Step& step) {
    const auto is_ordered = [](const Message& message) { return message.protocol == Protocol::kAcknowledged; };
    const auto ordered = std::find_if(step.sends.begin(), step.sends.end(), is_ordered);
    if (ordered != step.sends.end() && !step.waits_for_sends) {
      fail(fmt::format("leaves the step before rank {} has acknowledged", ordered->peer));
    }
  }

  void fail(const std::string& what) {
    if (!mistake_) {
      mistake_ = fmt::format("step {}: {}", step_, what);
    }
  }

  const Program& program_;
  std::size_t step_ = 0;
  std::vector<Message> sending_;
  std::vector<Message> receiving_;
  std::optional<std::string> mistake_;
};

}  // namespace

std::optional<std::string> find_overlap_mistake(const Program& program) {
  return OverlapCheck(program).find_mistake();
}

}  // namespace postage
