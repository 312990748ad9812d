#include "estimate/data/processor_overheads.hpp"
#include "estimate/data/repeated_times.hpp"

#include <postage/base/statistics.hpp>
#include <postage/estimate/campaign_data.hpp>

#include <algorithm>

namespace postage {

std::vector<CurvePoint> curve_of(const PairData& pair) {
  std::vector<CurvePoint> points;
  for (const auto& [bytes, point] : pair.curve) {
    points.push_back({bytes, point.one_way.value});
  }
  return points;
}

std::vector<CurvePoint> curve_of(const ScopeData& scope) {
  std::map<Bytes, std::vector<double>> times;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [bytes, point] : pair->curve) {
      times[bytes].push_back(point.one_way.value);
    }
  }
  std::vector<CurvePoint> curve;
  curve.reserve(times.size());
  for (const auto& [bytes, values] : times) {
    curve.push_back({bytes, median(values)});
  }
  return curve;
}

TimesBySize train_intervals(const ScopeData& scope) {
  AllBySize all;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [key, time] : pair->trains) {
      const auto single = pair->trains.find({key.first, 1});
      if (key.second > 1 && single != pair->trains.end()) {
        all[key.first].push_back(scaled(minus(time, single->second), 1.0 / (key.second - 1)));
      }
    }
  }
  return medians(all);
}

TimesBySize reply_roundtrips(const ScopeData& scope) {
  AllBySize all;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [key, time] : pair->trains) {
      if (key.second == 1) {
        all[key.first].push_back(time);
      }
    }
  }
  return medians(all);
}

namespace {

/// The means of both ends of each pair, at sizes at which both are known: whichever of a class's ranks has more pairs
/// than others, the two ends have the same part in it.
void collect_ends(const TimesBySize& first, const TimesBySize& second, AllBySize& all) {
  for (const auto& [bytes, time] : first) {
    if (const auto other = second.find(bytes); other != second.end()) {
      all[bytes].push_back(scaled(plus(time, other->second), 0.5));
    }
  }
}

/// Of the pairs of which both ranks' overheads were measured; where there are none, of those of which they are known by
/// their kinds.
RankOverheads overheads_of_pairs(const CampaignData& campaign, const ScopeData& scope) {
  const ProcessorOverheads processors(campaign, scope.channel());
  const auto is_measured = [&](const PairData* pair) {
    return processors.is_measured(pair->first) && processors.is_measured(pair->second);
  };
  const bool has_measured = std::any_of(scope.pairs.begin(), scope.pairs.end(), is_measured);
  AllBySize sends;
  AllBySize receives;
  for (const PairData* pair : scope.pairs) {
    if (!has_measured || is_measured(pair)) {
      const RankOverheads first = processors.of(pair->first);
      const RankOverheads second = processors.of(pair->second);
      collect_ends(first.send, second.send, sends);
      collect_ends(first.receive, second.receive, receives);
    }
  }
  return {means(sends), means(receives)};
}

}  // namespace

RankOverheads overheads_of(const CampaignData& campaign, const ScopeData& scope) {
  if (RankOverheads of_both = overheads_of_pairs(campaign, scope); scope.scope.is_pair() && !of_both.send.empty()) {
    return of_both;
  }
  std::set<int> ranks;
  for (const PairData* pair : scope.pairs) {
    ranks.insert({pair->first, pair->second});
  }
  AllBySize sends;
  AllBySize receives;
  for (const int rank : ranks) {
    const auto found = campaign.overheads.find({scope.channel(), rank});
    if (found != campaign.overheads.end()) {
      collect(sends, found->second.send);
      collect(receives, found->second.receive);
    }
  }
  return scope.scope.is_pair() ? RankOverheads{means(sends), means(receives)}
                               : RankOverheads{medians(sends), medians(receives)};
}

}  // namespace postage
