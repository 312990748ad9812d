#include "estimate/data/repeated_times.hpp"
#include "estimate/data/scopes.hpp"

#include <postage/estimate/campaign_data.hpp>

#include <algorithm>

namespace postage {
namespace {

void add(PairData& pair, const Measurement& m) {
  const Experiment& e = m.experiment;
  pair.measurements.push_back(&m);
  if (e.kind == ExperimentKind::kRoundtrip) {
    if (e.bytes == e.reply_bytes) {
      pair.curve[e.bytes] = {e.source,        e.target, pair.channel, e.bytes, estimate_of(m, 0.5),
                             m.summary.count, m.precise};
    }
    if (e.reply_bytes == 0) {
      pair.trains[{e.bytes, 1}] = estimate_of(m);
    }
  } else if (e.kind == ExperimentKind::kTrain && e.delay == 0) {
    pair.trains[{e.bytes, e.messages}] = estimate_of(m);
  } else if (e.kind == ExperimentKind::kSendOverhead) {
    pair.send_overhead[e.source][e.bytes] = estimate_of(m);
  } else if (e.kind == ExperimentKind::kDelayedReceive) {
    pair.receive_overhead[e.source][e.bytes] = estimate_of(m);
  }
}

/// By parametrised roundtrips: what each message of a train with delays d takes beyond d, for both ends alike.
void take_overheads_from_trains(PairData& pair) {
  pair.send_overhead.clear();
  for (const Measurement* m : pair.measurements) {
    const Experiment& e = m->experiment;
    const auto single = pair.trains.find({e.bytes, 1});
    if (e.kind == ExperimentKind::kTrain && e.delay > 0 && single != pair.trains.end()) {
      const Estimate others = scaled(minus(estimate_of(*m), single->second), 1.0 / (e.messages - 1));
      pair.send_overhead[e.source][e.bytes] = at_least_zero(minus(others, Estimate::exactly(e.delay)));
    }
  }
  pair.receive_overhead = pair.send_overhead;
}

/// All pairs of which anything was measured.
std::vector<PairData> sort_by_pair(const SampleSet& samples, const EstimateSettings& settings,
                                   const std::set<Bytes>& left_out) {
  std::map<std::pair<int, int>, PairData> pairs;
  for (const Measurement& m : samples.measurements) {
    if (!is_between_two(m.experiment) || left_out.contains(m.experiment.bytes)) {
      continue;
    }
    const auto key = std::minmax(m.experiment.source, m.experiment.target);
    PairData& pair = pairs[key];
    pair.first = key.first;
    pair.second = key.second;
    pair.channel = channel_of(samples.nodes, samples.ranks[static_cast<std::size_t>(key.first)],
                              samples.ranks[static_cast<std::size_t>(key.second)]);
    add(pair, m);
  }
  std::vector<PairData> list;
  for (auto& [key, pair] : pairs) {
    if (settings.overheads == OverheadMethod::kTrains) {
      take_overheads_from_trains(pair);
    }
    list.push_back(std::move(pair));
  }
  return list;
}

/// True where only messages without bytes went to and fro, if any: they tell nothing of others.
bool has_no_curve(const PairData& pair) {
  return pair.curve.empty() || pair.curve.rbegin()->first == 0;
}

/// Those without roundtrips of bytes leave `pairs`, unless there are no others.
std::vector<PairData> take_reply_pairs(std::vector<PairData>& pairs) {
  std::vector<PairData> taken;
  const bool has_curves = !std::all_of(pairs.begin(), pairs.end(), has_no_curve);
  const auto leaves = [&](const PairData& pair) { return has_curves ? has_no_curve(pair) : pair.curve.empty(); };
  for (const PairData& pair : pairs) {
    if (leaves(pair) && !pair.trains.empty()) {
      taken.push_back(pair);
    }
  }
  std::erase_if(pairs, leaves);
  return taken;
}

std::shared_ptr<const PairStructure> structure_of(const SampleSet& samples) {
  return std::make_shared<const PairStructure>(find_pair_structure(samples.pair_probes, samples.nodes, samples.ranks,
                                                                   least_difference_within_nodes(samples.is_virtual)));
}

std::vector<std::string> channels_of(const std::vector<PairData>& pairs) {
  std::vector<std::string> channels;
  for (const char* name : {kSharedCache, kIntraSocket, kInterSocket, kInterNode}) {
    if (std::any_of(pairs.begin(), pairs.end(), [&](const PairData& pair) { return pair.channel == name; })) {
      channels.emplace_back(name);
    }
  }
  return channels;
}

std::map<std::pair<std::string, int>, RankOverheads> overheads_by_rank(const std::vector<PairData>& pairs) {
  std::map<std::pair<std::string, int>, std::pair<AllBySize, AllBySize>> all;
  for (const PairData& pair : pairs) {
    for (const auto& [rank, times] : pair.send_overhead) {
      collect(all[{pair.channel, rank}].first, times);
    }
    for (const auto& [rank, times] : pair.receive_overhead) {
      collect(all[{pair.channel, rank}].second, times);
    }
  }
  std::map<std::pair<std::string, int>, RankOverheads> overheads;
  for (const auto& [key, both] : all) {
    overheads[key] = {medians(both.first), medians(both.second)};
  }
  return overheads;
}

}  // namespace

CampaignData::CampaignData(const SampleSet& sample_set, const EstimateSettings& estimate_settings,
                           const std::set<Bytes>& left_out, std::shared_ptr<const PairStructure> known)
    : samples(sample_set),
      settings(estimate_settings),
      structure(known ? std::move(known) : structure_of(samples)),
      pairs(sort_by_pair(samples, settings, left_out)),
      reply_pairs(take_reply_pairs(pairs)),
      channels(channels_of(pairs)),
      scopes(scopes_of(pairs, channels, *structure, samples.is_virtual)),
      overheads(overheads_by_rank(pairs)) {}

}  // namespace postage
