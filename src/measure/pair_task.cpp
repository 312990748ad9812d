#include "measure/messages.hpp"
#include "measure/task.hpp"

#include <postage/transport/idle_transport.hpp>

#include <postage/measure/collective_data.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// As between two repetitions of what ranks begin together.
constexpr Seconds kPause = 20e-6;

/// Source, target or second target of an experiment, or the only rank of one without messages.
class PairTask final : public Task {
 public:
  PairTask(TaskContext& context, const Experiment& experiment) : transport_(context.transport), e_(experiment) {
    if (e_.kind == Kind::kProgram) {
      const CollectiveRun message{Collective::kBcast, "linear", e_.bytes};
      program_.emplace(schedule_of(message, idle_.size()), idle_.rank());
    }
    const Bytes extent = std::max(layout().extent(), e_.reply_bytes);
    out_ = context.workspace.out(extent);
    in_ = context.workspace.in(extent);
    packed_ = context.workspace.packed(e_.by_hand ? layout().bytes() : 0);
  }

  BatchTimes lead(Batch batch) override {
    BatchTimes times;
    static_cast<void>(sample(batch.inner));
    for (std::int32_t i = 0; i < batch.samples; ++i) {
      times.values.push_back(sample(batch.inner));
    }
    return times;
  }

  void follow(Batch batch) override {
    for (std::int64_t i = 0; i < std::int64_t{batch.samples + 1} * batch.inner; ++i) {
      serve();
    }
  }

 private:
  /// Seconds of one repetition.
  Seconds sample(int inner) {
    switch (e_.kind) {
      case Kind::kSendOverhead:
        return send_overhead();
      case Kind::kDelayedReceive:
        return delayed_receive();
      case Kind::kCopy:
        return timed(inner, [&] { std::memmove(in_.data(), out_.data(), out_.size()); });
      case Kind::kProgram:
        return follow_program();
      case Kind::kReduction:
        return add_up(inner);
      case Kind::kStridedRoundtrip:
        return timed(inner, [&] {
          send_strided(e_.target);
          receive_strided(e_.target);
        });
      case Kind::kEcho:
        return timed(inner, [&] {
          transport_.send(in_, e_.target, kDataTag);
          transport_.receive(in_, e_.target, kReplyTag);
        });
      case Kind::kOneToTwo:
        return timed(inner, [&] { one_to_two(); });
      default:
        return timed(inner, [&] {
          send_all();
          transport_.receive(in_.first(size(e_.reply_bytes)), e_.target, kReplyTag);
        });
    }
  }

  void serve() {
    const auto message = in_.first(size(e_.bytes));
    switch (e_.kind) {
      case Kind::kDelayedReceive:
        transport_.receive({}, e_.source, kRequestTag);
        for (int n = 0; n < e_.messages; ++n) {
          transport_.send(out_.first(size(e_.bytes)), e_.source, kDataTag);
        }
        return;
      case Kind::kStridedRoundtrip:
        receive_strided(e_.source);
        send_strided(e_.source);
        return;
      case Kind::kEcho:
        transport_.receive(in_, e_.source, kDataTag);
        transport_.send(in_, e_.source, kReplyTag);
        return;
      default:
        for (int n = 0; n < e_.messages; ++n) {
          transport_.receive(message, e_.source, kDataTag);
        }
        transport_.send(out_.first(size(e_.reply_bytes)), e_.source, kReplyTag);
    }
  }

  template <typename Work>
  Seconds timed(int inner, const Work& work) {
    const Seconds start = transport_.now();
    for (int i = 0; i < inner; ++i) {
      work();
    }
    return (transport_.now() - start) / inner;
  }

  void send_all() {
    const auto message = out_.first(size(e_.bytes));
    if (e_.messages == 1) {
      transport_.send(message, e_.target, kDataTag);
      return;
    }
    requests_.clear();
    for (int n = 0; n < e_.messages; ++n) {
      if (n > 0 && e_.delay > 0) {
        transport_.wait_until(transport_.now() + e_.delay);
      }
      requests_.push_back(transport_.start_send(message, e_.target, kDataTag));
    }
    transport_.wait_all(requests_);
  }

  /// The time of a short train of sends over their number; their receives and the reply are not in it.
  Seconds send_overhead() {
    const auto message = out_.first(size(e_.bytes));
    const Seconds start = transport_.now();
    for (int n = 0; n < e_.messages; ++n) {
      transport_.send(message, e_.target, kDataTag);
    }
    const Seconds time = (transport_.now() - start) / e_.messages;
    transport_.receive({}, e_.target, kReplyTag);
    return time;
  }

  /// The time of receives posted when their messages have certainly arrived, over their number.
  Seconds delayed_receive() {
    transport_.send({}, e_.target, kRequestTag);
    transport_.wait_until(transport_.now() + e_.delay);
    const Seconds start = transport_.now();
    for (int n = 0; n < e_.messages; ++n) {
      transport_.receive(in_.first(size(e_.bytes)), e_.target, kDataTag);
    }
    return (transport_.now() - start) / e_.messages;
  }

  void one_to_two() {
    const auto message = out_.first(size(e_.bytes));
    transport_.send(message, e_.target, kDataTag);
    transport_.send(message, e_.second_target, kDataTag);
    transport_.receive({}, e_.target, kReplyTag);
    transport_.receive({}, e_.second_target, kReplyTag);
  }

  void send_strided(Rank to) {
    if (!e_.by_hand) {
      transport_.send_strided(out_, layout(), to, kDataTag);
      return;
    }
    pack(out_, layout(), packed_);
    transport_.account_for(packing_operations(layout()));
    transport_.send(packed_, to, kDataTag);
  }

  void receive_strided(Rank from) {
    if (!e_.by_hand) {
      transport_.receive_strided(in_, layout(), from, kDataTag);
      return;
    }
    transport_.receive(packed_, from, kDataTag);
    unpack(packed_, layout(), in_);
    transport_.account_for(packing_operations(layout()));
  }

  Seconds add_up(int inner) {
    const std::size_t count = size(e_.bytes) / sizeof(double);
    addends_.resize(count, 1e-300);
    sums_.resize(count, 1.0);
    const Reduction sum = sum_of_elements(sizeof(double));
    return timed(inner, [&] {
      sum(std::as_bytes(std::span(addends_)), std::as_writable_bytes(std::span(sums_)));
      transport_.account_for(static_cast<double>(count));
    });
  }

  /// Without what it takes to read the clock.
  Seconds follow_program() {
    transport_.wait_until(transport_.now() + kPause);
    const Seconds begin = transport_.now();
    program_->run(idle_, {out_, in_});
    const Seconds end = transport_.now();
    return std::max(2 * end - begin - transport_.now(), 0.0);
  }

  /// Of what is sent; one run where it is not strided.
  [[nodiscard]] StridedLayout layout() const {
    return e_.kind == Kind::kStridedRoundtrip ? StridedLayout{e_.bytes / e_.run_bytes, e_.run_bytes, e_.stride}
                                              : StridedLayout{e_.bytes, 1, 1};
  }
  static std::size_t size(Bytes bytes) { return static_cast<std::size_t>(bytes); }

  Transport& transport_;
  Experiment e_;
  std::span<std::byte> out_;
  std::span<std::byte> in_;
  std::span<std::byte> packed_;
  std::vector<double> addends_;
  std::vector<double> sums_;
  std::vector<Transport::Request> requests_;
  IdleTransport idle_{0, 2};
  std::optional<RankProgram> program_{};
};

}  // namespace

std::unique_ptr<Task> make_pair_task(TaskContext& context, const Experiment& experiment) {
  return std::make_unique<PairTask>(context, experiment);
}

std::unique_ptr<Task> make_task(TaskContext& context, const Experiment& experiment) {
  return has_members(experiment.kind) || is_of_all(experiment.kind) ? make_group_task(context, experiment)
                                                                    : make_pair_task(context, experiment);
}

bool repeats_inside(ExperimentKind kind) {
  switch (kind) {
    case Kind::kRoundtrip:
    case Kind::kStridedRoundtrip:
    case Kind::kEcho:
    case Kind::kTrain:
    case Kind::kOneToTwo:
    case Kind::kCopy:
    case Kind::kReduction:
    case Kind::kConcurrentPairs:
    case Kind::kRing:
    case Kind::kButterfly:
      return true;
    default:
      return false;
  }
}

}  // namespace postage
