#pragma once

#include <postage/optimize/difference.hpp>

#include <map>
#include <set>

namespace postage {

using FlatParameters = std::map<ParameterKey, Estimate>;

/// Sizes at which a scope's groups begin.
using ScopeStarts = std::map<ParameterScope, std::set<Bytes>>;
[[nodiscard]] ScopeStarts starts_of(const ParameterTable& table);

/// Every parameter of a table, single values at each of the `starts` of their scope. Only those of channels where
/// `channels_only`.
[[nodiscard]] FlatParameters flat_parameters(const ParameterTable& table, const ScopeStarts& starts,
                                             bool channels_only);

/// Medians over the measured pairs by channel and size.
[[nodiscard]] FlatParameters measured_times(const Platform& platform);

/// The table with another value of one parameter.
[[nodiscard]] ParameterTable with_value(ParameterTable table, const ParameterKey& key, const Estimate& value);

}  // namespace postage
