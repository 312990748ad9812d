#pragma once

#include <postage/predict/formulas/formula.hpp>
#include <postage/predict/prediction.hpp>

#include <string>
#include <string_view>

namespace postage {

/// Nodes of ranks that have a model's parameters as `--params` reads them.
[[nodiscard]] PlatformModel on_nodes(std::string_view model, std::string_view parameters, const Mapping& mapping);

/// What the evaluator gives for the schedule that a formula describes.
[[nodiscard]] Prediction evaluate_schedule_of(const Formula& formula, const FormulaJob& job);

/// "postage predict scatter --formula rico-gallego-eq1 -P 32 -m 8K --model taulop --params '...'".
[[nodiscard]] std::string formula_command(std::string_view collective, std::string_view name, const std::string& job,
                                          std::string_view model, std::string_view parameters);

}  // namespace postage
