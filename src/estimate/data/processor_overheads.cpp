#include "estimate/data/processor_overheads.hpp"

#include "estimate/data/repeated_times.hpp"

#include <set>
#include <utility>

namespace postage {

ProcessorOverheads::ProcessorOverheads(const CampaignData& campaign, std::string channel)
    : campaign_(campaign), channel_(std::move(channel)) {
  if (campaign.structure->empty()) {
    return;
  }
  std::set<int> measured;
  for (const auto& [key, overheads] : campaign.overheads) {
    if (key.first == channel_) {
      measured.insert(key.second);
    }
  }
  kind_of_ = kinds_of_ranks(*campaign.structure, measured);
  std::map<int, std::pair<AllBySize, AllBySize>> all;
  for (const auto& [key, overheads] : campaign.overheads) {
    if (key.first == channel_) {
      auto& [sends, receives] = all[kind_of_[static_cast<std::size_t>(key.second)]];
      collect(sends, overheads.send);
      collect(receives, overheads.receive);
    }
  }
  for (const auto& [kind, both] : all) {
    of_kind_[kind] = {medians(both.first), medians(both.second)};
  }
}

bool ProcessorOverheads::is_measured(int rank) const {
  return campaign_.overheads.count({channel_, rank}) > 0;
}

RankOverheads ProcessorOverheads::of(int rank) const {
  if (const auto own = campaign_.overheads.find({channel_, rank}); own != campaign_.overheads.end()) {
    return own->second;
  }
  const auto kind = kind_of_.empty() ? of_kind_.end() : of_kind_.find(kind_of_[static_cast<std::size_t>(rank)]);
  return kind == of_kind_.end() ? RankOverheads{} : kind->second;
}

}  // namespace postage
