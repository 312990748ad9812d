#include "measure/group_task.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

/// First try of how long the news of a start needs to reach everybody.
constexpr Seconds kFirstLead = 20e-6;
/// From one start to the next, over how long a repetition took: a simulated one takes the same again, others are
/// allowed as long again, but long ones no more than so much longer.
constexpr double kSimulatedWindow = 1.25;
constexpr Seconds kMostLonger = 1e-3;
constexpr double kLeastLonger = 0.25;
/// Windows are widened while fewer than half of the repetitions fit.
constexpr int kMostWidenings = 20;

double mean_from(const std::vector<double>& times, std::size_t first) {
  return std::accumulate(times.begin() + static_cast<std::ptrdiff_t>(first), times.end(), 0.0) /
         static_cast<double>(times.size() - first);
}

}  // namespace

double longest(const std::vector<double>& times) {
  return *std::max_element(times.begin(), times.end());
}

double first_of(const std::vector<double>& times) {
  return times.front();
}

double mean_of_all(const std::vector<double>& times) {
  return mean_from(times, 0);
}

double mean_of_others(const std::vector<double>& times) {
  return mean_from(times, 1);
}

GroupTask::GroupTask(TaskContext& context, const Experiment& experiment, CombineTimes combine, Bytes bytes,
                     Bytes received)
    : context_(context),
      transport_(context.transport),
      e_(experiment),
      members_(participants(experiment)),
      out_(context.workspace.out(bytes)),
      in_(context.workspace.in(bytes * received)),
      timing_(context.timing),
      combine_(combine),
      root_(experiment.ranks > 0 ? static_cast<std::size_t>(experiment.root) : 0) {
  const auto own = std::find(members_.begin(), members_.end(), transport_.rank());
  role_ = static_cast<std::size_t>(own - members_.begin());
}

BatchTimes GroupTask::lead(Batch batch) {
  prepare();
  if (timing_ == TimingMethod::kClocks) {
    return lead_from_common_starts(batch);
  }
  run_after_barriers(batch);
  return collect(batch);
}

BatchTimes GroupTask::lead_from_common_starts(Batch batch) {
  BatchTimes times;
  // One repetition after a barrier says how far apart the starts must be.
  run_after_barriers({0, batch.inner});
  Seconds window = first_window() * batch.inner + kFirstLead;
  Seconds lead = transport_.is_virtual() ? window : std::min(window, kMostLonger);
  for (int widening = 0; widening < kMostWidenings; ++widening, window *= 2, lead *= 2) {
    const Starts starts{context_.clock.now() + kFirstLead + lead, window};
    announce(starts);
    run_from(starts, batch);
    BatchTimes fitting = collect(batch, static_cast<std::size_t>(uncounted_samples(transport_)));
    const bool fits = 2 * fitting.values.size() >= static_cast<std::size_t>(batch.samples);
    times.late += fitting.late;
    times.values.insert(times.values.end(), fitting.values.begin(), fitting.values.end());
    if (fits) {
      announce({});
      return times;
    }
  }
  throw Error(fmt::format("the ranks of a {} cannot start together: their clocks differ by too much", e_.kind.name()));
}

Seconds GroupTask::first_window() {
  if (transport_.is_virtual()) {
    return kSimulatedWindow * collect({1, 1}, 0).values.front();
  }
  Seconds most = 0;
  for (const std::vector<End>& of_member : ends_of_members(1)) {
    most = std::max(most, of_member.front().time);
  }
  return most + std::max(std::min(most, kMostLonger), kLeastLonger * most);
}

void GroupTask::follow(Batch batch) {
  if (role_ == members_.size()) {
    return;  // a collective of other ranks
  }
  prepare();
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

void GroupTask::run_after_barriers(Batch batch) {
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

void GroupTask::run_from(const Starts& starts, Batch batch) {
  ends_.clear();
  const std::int32_t repetitions = batch.samples + uncounted_samples(transport_);
  for (std::int32_t i = 0; i < repetitions; ++i) {
    const Seconds start = starts.first + i * starts.window;
    const bool late = context_.clock.now() > start;
    context_.clock.wait_until(start);
    run(batch.inner);
    ends_.push_back({(context_.clock.now() - start) / batch.inner, late ? 1 : 0});
  }
}

void GroupTask::run(int inner) {
  for (int i = 0; i < inner; ++i) {
    operate();
  }
}

/// The times of all repetitions but the first `skip`, from what each member says of its own; those at which somebody
/// was late are left out.
BatchTimes GroupTask::collect(Batch batch, std::size_t skip) {
  const std::size_t count = static_cast<std::size_t>(batch.samples) + skip;
  const std::vector<std::vector<End>> ends = ends_of_members(count);
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
      times.values.push_back(timing_ == TimingMethod::kRoot ? of_members[root_] : combine_(of_members));
    }
  }
  return times;
}

std::vector<std::vector<GroupTask::End>> GroupTask::ends_of_members(std::size_t count) {
  std::vector<std::vector<End>> ends{ends_};
  for (std::size_t i = 1; i < members_.size(); ++i) {
    ends.emplace_back(count);
    transport_.receive(std::as_writable_bytes(std::span(ends.back())), members_[i], kEndTag);
  }
  return ends;
}

void GroupTask::send_ends() {
  transport_.send(std::as_bytes(std::span(ends_)), members_.front(), kEndTag);
}

void GroupTask::announce(const Starts& starts) {
  for (std::size_t i = 1; i < members_.size(); ++i) {
    send_value(transport_, starts, members_[i], kStartTag);
  }
}

void GroupTask::send_and_answer() {
  if (role_ % 2 == 0) {
    transport_.send(out_, partner(), kDataTag);
    transport_.receive(in_, partner(), kReplyTag);
  } else {
    transport_.receive(in_, partner(), kDataTag);
    transport_.send(out_, partner(), kReplyTag);
  }
}

void GroupTask::exchange_with_partner() {
  exchange(transport_, out_, partner(), in_, partner(), kDataTag);
}

}  // namespace postage
