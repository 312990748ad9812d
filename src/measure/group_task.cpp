#include "measure/messages.hpp"
#include "measure/task.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

using Kind = ExperimentKind;

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

/// First try of how long the news of a start needs to reach everybody.
constexpr Seconds kFirstLead = 20e-6;
/// Windows are widened while fewer than half of the repetitions fit.
constexpr int kMostWidenings = 20;

/// How the members' times make up the group's.
enum class Reduce { kFirst, kSlowest, kMeanOfAll, kMeanOfOthers };

Reduce reduction_of(Kind kind) {
  switch (kind) {
    case Kind::kIncast:
      return Reduce::kFirst;
    case Kind::kOutcast:
      return Reduce::kMeanOfOthers;
    case Kind::kButterfly:
      return Reduce::kMeanOfAll;
    default:
      return Reduce::kSlowest;
  }
}

double reduced(const std::vector<double>& times, Reduce how) {
  const auto mean_from = [&](std::size_t first) {
    return std::accumulate(times.begin() + static_cast<std::ptrdiff_t>(first), times.end(), 0.0) /
           static_cast<double>(times.size() - first);
  };
  switch (how) {
    case Reduce::kFirst:
      return times.front();
    case Reduce::kMeanOfAll:
      return mean_from(0);
    case Reduce::kMeanOfOthers:
      return mean_from(1);
    case Reduce::kSlowest:
      break;
  }
  return *std::max_element(times.begin(), times.end());
}

/// A member of a group that starts together.
class GroupTask final : public Task {
 public:
  GroupTask(TaskContext& context, const Experiment& experiment)
      : context_(context),
        transport_(context.transport),
        clock_(context.clock),
        timing_(context.timing),
        e_(experiment),
        members_(participants(experiment)),
        out_(context.workspace.out(e_.kind == Kind::kCollective ? 0 : e_.bytes)),
        in_(context.workspace.in(e_.kind == Kind::kCollective ? 0 : e_.bytes * messages_received())) {
    const auto own = std::find(members_.begin(), members_.end(), transport_.rank());
    role_ = static_cast<std::size_t>(own - members_.begin());
    // The one whose own time counts as the root's.
    root_ = is_of_all(e_.kind) ? static_cast<std::size_t>(e_.root) : 0;
    if (e_.kind == Kind::kCollective) {
      collective_ = make_collective(context, e_);
    }
  }

  BatchTimes lead(Batch batch) override {
    BatchTimes times;
    check();
    if (timing_ != TimingMethod::kClocks) {
      run_after_barriers(batch);
      return collect(batch);
    }
    // One repetition after a barrier says how far apart the starts must be.
    run_after_barriers({0, batch.inner});
    Seconds window = 2 * collect({1, batch.inner}, 0).values.front() * batch.inner + kFirstLead;
    for (int widening = 0; widening < kMostWidenings; ++widening, window *= 2) {
      const Starts starts{clock_.now() + kFirstLead + window, window};
      announce(starts);
      run_from(starts, batch);
      BatchTimes fitting = collect(batch);
      const bool fits = 2 * fitting.values.size() >= static_cast<std::size_t>(batch.samples);
      times.late += fitting.late;
      times.values.insert(times.values.end(), fitting.values.begin(), fitting.values.end());
      if (fits) {
        announce({});
        return times;
      }
    }
    throw Error(
        fmt::format("the ranks of a {} cannot start together: their clocks differ by too much", name_of(e_.kind)));
  }

  void follow(Batch batch) override {
    check();
    if (timing_ != TimingMethod::kClocks) {
      run_after_barriers(batch);
      send_ends();
      return;
    }
    run_after_barriers({0, batch.inner});
    send_ends();
    for (auto starts = receive_value<Starts>(transport_, members_.front(), kStartTag); starts.window > 0;
         starts = receive_value<Starts>(transport_, members_.front(), kStartTag)) {
      run_from(starts, batch);
      send_ends();
    }
  }

 private:
  void check() {
    if (e_.kind == Kind::kCollective) {
      check_collective(context_, e_);
    }
  }

  void run_after_barriers(Batch batch) {
    ends_.clear();
    for (std::int32_t i = 0; i <= batch.samples; ++i) {
      if (members_.size() == static_cast<std::size_t>(transport_.size())) {
        transport_.barrier();
      } else {
        group_barrier(transport_, members_);
      }
      const Seconds start = transport_.now();
      run(batch.inner);
      ends_.push_back({(transport_.now() - start) / batch.inner, 0});
    }
  }

  void run_from(const Starts& starts, Batch batch) {
    ends_.clear();
    for (std::int32_t i = 0; i <= batch.samples; ++i) {
      const Seconds start = starts.first + i * starts.window;
      const bool late = clock_.now() > start;
      clock_.wait_until(start);
      run(batch.inner);
      ends_.push_back({(clock_.now() - start) / batch.inner, late ? 1 : 0});
    }
  }

  void run(int inner) {
    for (int i = 0; i < inner; ++i) {
      operate();
    }
  }

  void operate() {
    switch (e_.kind) {
      case Kind::kConcurrentPairs:
      case Kind::kAnswer:
        return roundtrip();
      case Kind::kRing:
        return exchange(transport_, out_, after(1), in_, after(members_.size() - 1), kDataTag);
      case Kind::kButterfly:
      case Kind::kSynchronisedExchange:
        return exchange(transport_, out_, partner(), in_, partner(), kDataTag);
      case Kind::kIncast:
        return role_ == 0 ? receive_from_all() : transport_.send(out_, members_.front(), kDataTag);
      case Kind::kOutcast:
        return role_ == 0 ? send_to_all() : transport_.receive(in_, members_.front(), kDataTag);
      case Kind::kScatter:
        return role_ == root_ ? scatter() : transport_.receive(in_, members_[root_], kDataTag);
      case Kind::kGather:
        return role_ == root_ ? gather() : transport_.send(out_, members_[root_], kDataTag);
      default:
        return collective_();
    }
  }

  void roundtrip() {
    if (role_ % 2 == 0) {
      transport_.send(out_, partner(), kDataTag);
      transport_.receive(in_, partner(), kReplyTag);
    } else {
      transport_.receive(in_, partner(), kDataTag);
      transport_.send(out_, partner(), kReplyTag);
    }
  }

  /// Lone messages are sent and received as schedules do it: by calls that wait.
  void receive_from_all() {
    if (members_.size() == 2) {
      return transport_.receive(in_part(0), members_.back(), kDataTag);
    }
    requests_.clear();
    for (std::size_t i = 1; i < members_.size(); ++i) {
      requests_.push_back(transport_.start_receive(in_part(i - 1), members_[i], kDataTag));
    }
    transport_.wait_all(requests_);
  }

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

  void scatter() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i != root_) {
        transport_.send(out_, members_[i], kDataTag);
      }
    }
  }

  void gather() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i != root_) {
        transport_.receive(in_.first(out_.size()), members_[i], kDataTag);
      }
    }
  }

  /// The times of all repetitions but the first `skip`, from what each member says of its own; those at which somebody
  /// was late are left out.
  BatchTimes collect(Batch batch, std::size_t skip = 1) {
    const std::size_t count = static_cast<std::size_t>(batch.samples) + skip;
    std::vector<std::vector<End>> ends{ends_};
    for (std::size_t i = 1; i < members_.size(); ++i) {
      ends.emplace_back(count);
      transport_.receive(std::as_writable_bytes(std::span(ends.back())), members_[i], kEndTag);
    }
    BatchTimes times;
    std::vector<double> of_members(members_.size());
    for (std::size_t i = skip; i < count; ++i) {
      bool late = false;
      for (std::size_t member = 0; member < members_.size(); ++member) {
        of_members[member] = ends[member][i].time;
        late = late || ends[member][i].late != 0;
      }
      if (late) {
        ++times.late;
      } else {
        times.values.push_back(timing_ == TimingMethod::kRoot ? of_members[root_]
                                                              : reduced(of_members, reduction_of(e_.kind)));
      }
    }
    return times;
  }

  void send_ends() { transport_.send(std::as_bytes(std::span(ends_)), members_.front(), kEndTag); }

  void announce(const Starts& starts) {
    for (std::size_t i = 1; i < members_.size(); ++i) {
      send_value(transport_, starts, members_[i], kStartTag);
    }
  }

  [[nodiscard]] Rank after(std::size_t steps) const { return members_[(role_ + steps) % members_.size()]; }
  [[nodiscard]] Rank partner() const { return members_[role_ ^ 1U]; }
  /// Those that come in at once need places of their own.
  [[nodiscard]] Bytes messages_received() const {
    return e_.kind == Kind::kIncast && members_.front() == transport_.rank() ? static_cast<Bytes>(members_.size()) - 1
                                                                             : 1;
  }
  [[nodiscard]] std::span<std::byte> in_part(std::size_t i) const { return in_.subspan(i * out_.size(), out_.size()); }

  TaskContext& context_;
  Transport& transport_;
  SynchronisedClock& clock_;
  TimingMethod timing_;
  Experiment e_;
  RankGroup members_;
  std::span<std::byte> out_;
  std::span<std::byte> in_;
  std::size_t role_ = 0;
  std::size_t root_ = 0;
  std::function<void()> collective_;
  std::vector<End> ends_;
  std::vector<Transport::Request> requests_;
};

}  // namespace

std::unique_ptr<Task> make_group_task(TaskContext& context, const Experiment& experiment) {
  return std::make_unique<GroupTask>(context, experiment);
}

}  // namespace postage
