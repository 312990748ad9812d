#include "preload/statistics/summary.hpp"

#include <algorithm>

namespace postage::preload {
namespace {

SizeSummary& size_of(CallSummary& call, int size_class) {
  const auto found = std::find_if(call.sizes.begin(), call.sizes.end(),
                                  [&](const SizeSummary& size) { return size.size.number() == size_class; });
  if (found != call.sizes.end()) {
    return *found;
  }
  call.sizes.push_back({.size = SizeClass::numbered(size_class)});
  return call.sizes.back();
}

template <typename IsWanted>
std::optional<TypicalTime> typical_time_of(const std::vector<CallTime>& times, const IsWanted& is_wanted) {
  std::vector<Seconds> seconds;
  for (const CallTime& time : times) {
    if (is_wanted(time)) {
      seconds.insert(seconds.end(), time.seconds.begin(), time.seconds.end());
    }
  }
  return typical_time(seconds);
}

void add_times(std::vector<CallSummary>& calls, const CallTimes& times) {
  for (CallSummary& call : calls) {
    for (SizeSummary& size : call.sizes) {
      if (const auto found = times.find({call.entry, size.size.number()}); found != times.end()) {
        size.times = found->second;
      }
    }
  }
}

/// The counts' keys are sorted by entry and size.
std::vector<CallSummary> calls_of(const Counts& counts) {
  std::vector<CallSummary> calls;
  for (const auto& [key, totals] : counts.calls) {
    if (calls.empty() || calls.back().entry != key.entry) {
      calls.push_back({.entry = key.entry});
    }
    SizeSummary& size = size_of(calls.back(), key.size_class);
    if (key.algorithm.empty()) {
      size.own.add(totals);
    } else {
      size.replaced.add(totals);
      size.algorithms[key.algorithm] += totals.calls;
    }
  }
  return calls;
}

}  // namespace

std::optional<TypicalTime> SizeSummary::own_time() const {
  return typical_time_of(
      times, [](const CallTime& time) { return time.algorithm.empty() && time.probe != Probe::kUncounted; });
}

std::optional<TypicalTime> SizeSummary::replaced_time() const {
  return typical_time_of(times,
                         [](const CallTime& time) { return !time.algorithm.empty() && time.probe == Probe::kNone; });
}

std::optional<Gain> SizeSummary::gained() const {
  const std::optional<TypicalTime> librarys = own_time();
  std::optional<Gain> gain;
  for (const CallTime& time : times) {
    const std::optional<TypicalTime> ours = time.algorithm.empty() ? std::nullopt : typical_time(time.seconds);
    if (librarys && ours) {
      gain = gain.value_or(Gain{});
      gain->add_replaced(static_cast<double>(time.calls), *librarys, *ours, time.probe != Probe::kNone);
    }
  }
  if (gain) {
    gain->add_uncertainty_of(*librarys);
  }
  return gain;
}

CallTotals CallSummary::total() const {
  CallTotals total;
  for (const SizeSummary& size : sizes) {
    total.add(size.own);
    total.add(size.replaced);
  }
  return total;
}

std::uint64_t CallSummary::replaced() const {
  std::uint64_t calls = 0;
  for (const SizeSummary& size : sizes) {
    calls += size.replaced.calls;
  }
  return calls;
}

Summary summarise(const JobRank& job, std::int32_t nodes, const std::vector<Counts>& ranks, const CallTimes& times) {
  Counts all;
  Summary summary{
      .library = job.library, .ranks = job.ranks, .nodes = nodes, .more_ranks_than_cores = job.more_ranks_than_cores};
  for (const Counts& rank : ranks) {
    all.add(rank);
    const bool is_first = &rank == ranks.data();
    summary.least_communication =
        is_first ? rank.communication : std::min(summary.least_communication, rank.communication);
    summary.most_communication = std::max(summary.most_communication, rank.communication);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(ranks.size(), 1));
  summary.program = all.program / count;
  summary.communication = all.communication / count;
  summary.calls = calls_of(all);
  add_times(summary.calls, times);
  summary.point_to_point = all.point_to_point;
  summary.collective = all.collective;
  return summary;
}

std::array<SizeShare, 4> sizes_of_table_1(const MessageSizes& sizes) {
  std::array<SizeShare, 4> shares{{{"< 1K", 0}, {"1K-32K", 0}, {"32K-1M", 0}, {"> 1M", 0}}};
  constexpr std::array<Bytes, 3> kLimits{1 << 10, 32 << 10, 1 << 20};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Bytes first = SizeClass::numbered(static_cast<int>(i)).first();
    const auto place =
        static_cast<std::size_t>(std::upper_bound(kLimits.begin(), kLimits.end(), first) - kLimits.begin());
    shares.at(place).messages += sizes[i].messages;
  }
  return shares;
}

}  // namespace postage::preload
