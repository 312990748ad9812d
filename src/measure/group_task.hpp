#pragma once

#include "measure/messages.hpp"
#include "measure/task.hpp"

#include <vector>

namespace postage {

/// Makes one time of those of the members: [role].
using CombineTimes = double (*)(const std::vector<double>& times);
[[nodiscard]] double longest(const std::vector<double>& times);
[[nodiscard]] double first_of(const std::vector<double>& times);
[[nodiscard]] double mean_of_all(const std::vector<double>& times);
/// But the first one.
[[nodiscard]] double mean_of_others(const std::vector<double>& times);

/// One rank's part in experiments whose members start together, as TimingMethod says; the first one leads.
class GroupTask : public Task {
 public:
  /// With memory for one message to send and for so many to receive at once.
  GroupTask(TaskContext& context, const Experiment& experiment, CombineTimes combine, Bytes bytes, Bytes received = 1);
  GroupTask(TaskContext& context, const Experiment& experiment, CombineTimes combine)
      : GroupTask(context, experiment, combine, experiment.bytes) {}

  BatchTimes lead(Batch batch) final;
  void follow(Batch batch) final;

 protected:
  /// The rank's part of one repetition.
  virtual void operate() = 0;
  /// Before each batch, on all members.
  virtual void prepare() {}

  [[nodiscard]] Rank after(std::size_t steps) const { return members_[(role_ + steps) % members_.size()]; }
  /// Of the pairs (0, 1), (2, 3), ...
  [[nodiscard]] Rank partner() const { return members_[role_ ^ 1U]; }
  [[nodiscard]] bool is_first() const { return role_ == 0; }
  [[nodiscard]] bool is_root() const { return role_ == root_; }

  /// Of pairs: the first one sends, the other one answers.
  void send_and_answer();
  /// Of pairs: both send and receive at once.
  void exchange_with_partner();

  TaskContext& context_;
  Transport& transport_;
  Experiment e_;
  RankGroup members_;
  std::span<std::byte> out_;
  std::span<std::byte> in_;

 private:
  /// When a member had done its part of a repetition, after the start; late where it was not ready for the start.
  struct End {
    Seconds time = 0;
    std::int32_t late = 0;
  };
  /// Moments at which the repetitions of a batch begin: `first` and every `window` after it, on the common clock.
  struct Starts {
    Seconds first = 0;
    Seconds window = 0;
  };

  [[nodiscard]] BatchTimes lead_from_common_starts(Batch batch);
  /// For one operation, by what members say of the first.
  [[nodiscard]] Seconds first_window();
  void run_after_barriers(Batch batch);
  void run_from(const Starts& starts, Batch batch);
  void run(int inner);
  [[nodiscard]] BatchTimes collect(Batch batch, std::size_t skip = 1);
  [[nodiscard]] std::vector<std::vector<End>> ends_of_members(std::size_t count);
  void send_ends();
  void announce(const Starts& starts);

  TimingMethod timing_;
  CombineTimes combine_;
  std::size_t role_ = 0;
  std::size_t root_ = 0;  ///< role of the one whose own time counts as the root's
  std::vector<End> ends_;
};

}  // namespace postage
