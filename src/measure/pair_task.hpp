#pragma once

#include "measure/messages.hpp"
#include "measure/task.hpp"

#include <algorithm>

namespace postage {

/// One rank's part in experiments of one to three ranks: the source leads and takes the times.
class PairTask : public Task {
 public:
  /// Memory for messages of the experiment's bytes, or of so many as are given.
  PairTask(TaskContext& context, const Experiment& experiment)
      : PairTask(context, experiment, std::max(experiment.bytes, experiment.reply_bytes)) {}
  PairTask(TaskContext& context, const Experiment& experiment, Bytes memory)
      : transport_(context.transport),
        e_(experiment),
        out_(context.workspace.out(memory)),
        in_(context.workspace.in(memory)) {}

  BatchTimes lead(Batch batch) final;
  void follow(Batch batch) final;

 protected:
  /// The leader's side: seconds of one repetition, mean of `inner`.
  virtual Seconds sample(int inner) = 0;
  /// The other side, for one repetition. Experiments of one rank have none.
  virtual void serve() {}

  template <typename Work>
  Seconds timed(int inner, const Work& work) {
    const Seconds start = transport_.now();
    for (int i = 0; i < inner; ++i) {
      work();
    }
    return (transport_.now() - start) / inner;
  }

  /// What the leader sends, and memory to receive it.
  [[nodiscard]] std::span<const std::byte> message() const { return out_.first(size(e_.bytes)); }
  [[nodiscard]] std::span<std::byte> received() { return in_.first(size(e_.bytes)); }
  static std::size_t size(Bytes bytes) { return static_cast<std::size_t>(bytes); }

  Transport& transport_;
  Experiment e_;
  std::span<std::byte> out_;
  std::span<std::byte> in_;

 private:
  void wait_for_others();
};

}  // namespace postage
