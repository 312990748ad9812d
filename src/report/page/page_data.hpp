#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/platform.hpp>
#include <postage/predict/platform_model.hpp>
#include <postage/tuning/decision_table.hpp>
#include <postage/validate/validation.hpp>

#include <optional>
#include <string>

namespace postage {

// What the page's script draws, as JSON. Times are seconds to five digits.

/// The model that predictions are made with on this platform, for its own ranks, with its intervals; nothing where it
/// has no model that this program knows, or no ranks.
struct UsedModel {
  PlatformModel model;
  std::string reason;
};
[[nodiscard]] std::optional<UsedModel> used_model(const Platform& platform);

/// One platform: what it is, its levels, messages, models, held-out collectives, best algorithms and explanations.
[[nodiscard]] Json platform_data(const Platform& platform);

/// {"collectives": [{"collective", "algorithm", "ranks", "bytes", "segment", "measured": [value, lower, upper]}],
///  "predicted": {model: [seconds, ...]}, "models": the most accurate one first}. Null where none was visited.
[[nodiscard]] Json held_out_data(const Platform& platform);

/// {"sizes": [...], "rows": [{"collective", "cells": [{"algorithm", "segment", "time": [value, lower, upper]} or
/// null]}]}: the algorithm of each collective with the shortest predicted time, on all ranks, at seven sizes up to the
/// largest one that was measured. Null without a model.
[[nodiscard]] Json best_algorithms(const Platform& platform, const std::optional<UsedModel>& used);
/// One of its rows, at the smallest and the largest of the sizes; null without a model.
[[nodiscard]] Json best_at_ends(Collective collective, const Platform& platform, const std::optional<UsedModel>& used);

/// [{"collective", "algorithm", "segment", "bytes", "seconds", "tree": [label, seconds, [parts]],
///   "advice": [{"change", "seconds"}]}] of four collectives at two sizes: where the time of the algorithm goes that
/// most libraries take. Empty without a model.
[[nodiscard]] Json explanation_data(const Platform& platform, const std::optional<UsedModel>& used);

/// [[model, channel, from size, parameter, value, lower, upper]], texts; and how many sets belong to single pairs or
/// ranks.
struct ParameterRows {
  Json rows = Json::array();
  std::size_t of_singles = 0;
};
[[nodiscard]] ParameterRows parameter_rows(const Platform& platform);

/// Errors by model and algorithm, and the points themselves.
[[nodiscard]] Json validation_data(const Validation& validation);

/// Cells, rules that are in force, and rules that were dropped.
[[nodiscard]] Json decision_data(const DecisionTable& table);

}  // namespace postage
