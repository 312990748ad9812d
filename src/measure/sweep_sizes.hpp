#pragma once

#include <postage/measure/campaign.hpp>

#include <algorithm>
#include <vector>

namespace postage {

/// Sizes of linear scatter and gather, ascending.
inline std::vector<Bytes> sweep_sizes(const CampaignPlan& plan) {
  std::vector<Bytes> sizes = plan.sizes_of("--sweep-sizes");
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace postage
