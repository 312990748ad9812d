#pragma once

#include "estimate/flow/scope_fit.hpp"

#include <map>
#include <string>
#include <vector>

namespace postage {

/// What one message costs on all channels of a campaign.
struct CampaignFits {
  std::vector<ScopeFit> all;
  std::map<std::string, ChannelFits> by_channel;
  Seconds start = 0;  ///< t_0: what groups need to start together, whatever their channel
  /// What an eager message takes longer that crosses another: one of no more than the first size, and, inside real
  /// nodes, larger ones whose bytes only processors move.
  TimesBySize exchange{};
  Seconds simultaneous_start = 0;  ///< t_b
  Seconds first_response = 0;      ///< t_a

  explicit CampaignFits(const CampaignData& campaign);
  CampaignFits(const CampaignFits&) = delete;
  CampaignFits& operator=(const CampaignFits&) = delete;

 private:
  void find_start(const CampaignData& campaign);
  /// After that.
  void find_waits(const CampaignData& campaign);
  void find_exchange(const CampaignData& campaign);
  /// After both others, which they are measured beside.
  void find_delays(const CampaignData& campaign);
};

}  // namespace postage
