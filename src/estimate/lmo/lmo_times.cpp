#include "estimate/lmo/lmo_times.hpp"

#include <algorithm>
#include <set>

namespace postage {

LmoTimes::LmoTimes(const CampaignData& campaign) : campaign_(campaign) {
  for (const std::vector<PairData>* pairs : {&campaign.pairs, &campaign.reply_pairs}) {
    for (const PairData& pair : *pairs) {
      pairs_[{pair.first, pair.second}] = &pair;
    }
  }
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kOneToTwo && roundtrip(e.source, e.target, e.bytes) != nullptr &&
        roundtrip(e.source, e.second_target, e.bytes) != nullptr) {
      by_source_[e.source].push_back({e.source, e.target, e.second_target, e.bytes, estimate_of(m)});
    }
  }
}

const Estimate* LmoTimes::roundtrip(int a, int b, Bytes bytes) const {
  const auto pair = pairs_.find(std::minmax(a, b));
  if (pair == pairs_.end()) {
    return nullptr;
  }
  const auto time = pair->second->trains.find({bytes, 1});
  return time == pair->second->trains.end() ? nullptr : &time->second;
}

std::vector<LmoTimes::OneToTwo> LmoTimes::from(int source) const {
  // What the first send keeps the source depends on the channel that it goes over.
  std::map<std::ptrdiff_t, std::vector<OneToTwo>> by_channel;
  for (const OneToTwo& one : by_source_.at(source)) {
    const std::string& channel = pairs_.at(std::minmax(source, one.first))->channel;
    by_channel[std::ranges::find(campaign_.channels, channel) - campaign_.channels.begin()].push_back(one);
  }
  return by_channel.rbegin()->second;
}

std::vector<int> LmoTimes::sources() const {
  std::vector<int> ranks;
  for (const auto& [rank, experiments] : by_source_) {
    ranks.push_back(rank);
  }
  return ranks;
}

std::vector<Bytes> LmoTimes::sizes_up_to(double most) const {
  std::set<Bytes> all;
  for (const auto& [rank, experiments] : by_source_) {
    for (const OneToTwo& one : experiments) {
      if (one.bytes > 0) {
        all.insert(one.bytes);
      }
    }
  }
  std::vector<Bytes> sizes;
  for (const Bytes bytes : all) {
    if (sizes.empty() || static_cast<double>(bytes) <= most) {
      sizes.push_back(bytes);
    }
  }
  return sizes;
}

Estimate no_less_than(double least, const Estimate& e) {
  return {std::max(e.value, least), std::max(e.lower, least), std::max(e.upper, least)};
}

}  // namespace postage
