#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <map>
#include <vector>

namespace postage {

/// Several estimates of the same times.
using AllBySize = std::map<Bytes, std::vector<Estimate>>;

void collect(AllBySize& all, const TimesBySize& times);
[[nodiscard]] TimesBySize medians(const AllBySize& all);
[[nodiscard]] TimesBySize means(const AllBySize& all);

}  // namespace postage
