#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <map>
#include <string>
#include <vector>

namespace postage {

/// What messages of a channel keep ranks' processors; of ranks whose own was not measured, the medians of those of
/// their kind that were.
class ProcessorOverheads {
 public:
  ProcessorOverheads(const CampaignData& campaign, std::string channel);

  [[nodiscard]] bool is_measured(int rank) const;
  /// Empty where neither the rank nor another one of its kind was measured.
  [[nodiscard]] RankOverheads of(int rank) const;

 private:
  const CampaignData& campaign_;
  std::string channel_;
  std::vector<int> kind_of_;  ///< [rank]; empty where kinds are not known
  std::map<int, RankOverheads> of_kind_;
};

}  // namespace postage
