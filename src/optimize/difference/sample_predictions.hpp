#pragma once

#include <postage/platform/platform.hpp>

#include <map>
#include <string>

namespace postage {

/// What a table predicts for a few collectives among a platform's first ranks, 16 at most: seconds by name. Empty where
/// the table is no model, or there is one rank only.
[[nodiscard]] std::map<std::string, double> sample_predictions(const Platform& platform, const ParameterTable& table);

}  // namespace postage
