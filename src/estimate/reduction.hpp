#pragma once

#include "estimate/campaign_data.hpp"

#include <optional>
#include <string>

namespace postage {

/// gamma: what combining a byte takes, median over the hosts at each size and then over the sizes. Its interval spans
/// those of all sizes, since caches make it differ between them. Nothing where it was not measured.
[[nodiscard]] std::optional<Estimate> combining_time(const SampleSet& samples);

/// Into the group of all channels, which is made if it is not there.
void add_to_platform_group(ParameterTable& table, const std::string& symbol, const Estimate& value);

}  // namespace postage
