#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <optional>
#include <string>

namespace postage {

/// gamma: what combining a byte takes, median over the hosts at each size and then over the sizes. Its interval spans
/// those of all sizes, since caches make it differ between them. Nothing where it was not measured.
[[nodiscard]] std::optional<Estimate> combining_time(const SampleSet& samples);

/// What copying some bytes within a rank's memory takes, medians over the hosts. Empty where it was not measured.
[[nodiscard]] TimesBySize copying_times(const SampleSet& samples);

/// What following a program takes for one message, median over the hosts; nothing where it was not measured.
[[nodiscard]] std::optional<Estimate> program_time(const SampleSet& samples);

/// Into the group of all channels, which is made if it is not there.
[[nodiscard]] ParameterGroup& platform_group(ParameterTable& table);
void add_to_platform_group(ParameterTable& table, const std::string& symbol, const Estimate& value);

}  // namespace postage
