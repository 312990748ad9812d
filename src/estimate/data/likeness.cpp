#include "estimate/data/likeness.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/data/repeated_times.hpp"

#include <algorithm>

namespace postage {
namespace {

using TimePairs = std::vector<std::pair<Estimate, Estimate>>;

void add_common(const TimesBySize& a, const TimesBySize& b, TimePairs& both) {
  for (const auto& [bytes, time] : a) {
    if (const auto found = b.find(bytes); found != b.end()) {
      both.emplace_back(time, found->second);
    }
  }
}

/// Those that are not about the whole time of the message, which is the pair's and not the processor's.
TimesBySize without_whole(TimesBySize times, const TimesBySize& one_way) {
  constexpr double kWhole = 0.85;
  std::erase_if(times, [&](const auto& entry) {
    return !one_way.empty() && entry.second.value >= kWhole * value_at(one_way, entry.first);
  });
  return times;
}

/// Of each rank, over the pairs in which it was measured.
std::map<int, RankOverheads> overheads_by_rank_of(const std::vector<const PairData*>& pairs) {
  std::map<int, std::pair<AllBySize, AllBySize>> all;
  for (const PairData* pair : pairs) {
    const TimesBySize one_way = one_way_of(*pair);
    for (const auto& [rank, times] : pair->send_overhead) {
      collect(all[rank].first, without_whole(times, one_way));
    }
    for (const auto& [rank, times] : pair->receive_overhead) {
      collect(all[rank].second, without_whole(times, one_way));
    }
  }
  std::map<int, RankOverheads> overheads;
  for (const auto& [rank, both] : all) {
    overheads[rank] = {medians(both.first), medians(both.second)};
  }
  return overheads;
}

/// A number for each rank, the same for ranks whose processors are alike.
std::map<int, int> processor_classes(const std::vector<const PairData*>& pairs, double least_share) {
  const std::map<int, RankOverheads> overheads = overheads_by_rank_of(pairs);
  std::map<int, int> class_of;
  std::vector<const RankOverheads*> firsts;
  for (const auto& [rank, own] : overheads) {
    const auto same = std::find_if(firsts.begin(), firsts.end(), [&own = own, least_share](const RankOverheads* first) {
      TimePairs both;
      add_common(own.send, first->send, both);
      add_common(own.receive, first->receive, both);
      return are_alike(both, least_share);
    });
    class_of[rank] = static_cast<int>(same - firsts.begin());
    if (same == firsts.end()) {
      firsts.push_back(&own);
    }
  }
  return class_of;
}

}  // namespace

TimesBySize one_way_of(const PairData& pair) {
  TimesBySize times;
  for (const auto& [bytes, point] : pair.curve) {
    times[bytes] = point.one_way;
  }
  return times;
}

std::vector<std::vector<const PairData*>> classes_of(const std::vector<const PairData*>& pairs, double least_share) {
  std::map<int, int> processors = processor_classes(pairs, least_share);
  const auto ends_of = [&](const PairData& pair) {
    return std::pair(std::minmax({processors[pair.first], processors[pair.second]}));
  };
  std::vector<std::vector<const PairData*>> classes;
  for (const PairData* pair : pairs) {
    const TimesBySize own = one_way_of(*pair);
    const auto same = std::find_if(classes.begin(), classes.end(), [&](const std::vector<const PairData*>& known) {
      TimePairs both;
      add_common(own, one_way_of(*known.front()), both);
      return ends_of(*known.front()) == ends_of(*pair) && are_alike(both, least_share);
    });
    (same == classes.end() ? classes.emplace_back() : *same).push_back(pair);
  }
  return classes;
}

}  // namespace postage
