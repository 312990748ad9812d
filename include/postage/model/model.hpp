#pragma once

#include <postage/model/hockney.hpp>
#include <postage/model/loggp.hpp>
#include <postage/model/transfer.hpp>
#include <postage/platform/parameters.hpp>

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postage {

/// Any model, as a value.
using Model = std::variant<Hockney, LogGP>;

/// What one transfer costs under the model. O(log regimes).
[[nodiscard]] inline TransferCost cost(const Model& model, const TransferQuestion& question) {
  return std::visit([&](const auto& m) { return m.cost(question); }, model);
}

/// True where two transfers over one channel may cost different times, so that every rank has to be looked at.
[[nodiscard]] inline bool depends_on_ranks(const Model& model) {
  return std::visit([](const auto& m) { return m.links.has_pairs(); }, model);
}

/// True where a transfer's cost depends on those that share its channel.
template <typename AnyModel>
inline constexpr bool kFeelsContention = false;
[[nodiscard]] inline bool feels_contention(const Model& model) {
  return std::visit([](const auto& m) { return kFeelsContention<std::decay_t<decltype(m)>>; }, model);
}

/// Which end of the parameters' intervals a model is built from. Every cost grows with every parameter, so the
/// bounds of the parameters bound the prediction.
enum class Bound { kLower, kValue, kUpper };

struct ParameterDescription {
  std::string_view symbol;
  std::string_view unit;
  std::string_view meaning;
  /// Taken from these parameters (added up) where it is not given: o_s and o_r from o.
  std::string_view falls_back_to;
};

/// What the documentation, `postage models` and the parameter parser know of a model.
struct ModelDescription {
  std::string_view name;
  std::string_view equation;
  std::string_view source;
  std::vector<ParameterDescription> parameters;
};

[[nodiscard]] std::span<const ModelDescription> models();

/// Throws UsageError listing the valid names.
[[nodiscard]] const ModelDescription& find_model(std::string_view name);

/// Builds the model that `table` names for a platform with these channels. Throws Error naming what is missing,
/// negative or not a number.
[[nodiscard]] Model build_model(const ParameterTable& table, std::span<const std::string> channels,
                                Bound bound = Bound::kValue);

/// Reads "L=5us,o=1us,g=2us,G=1ns" for a model; all transfers take channel 0. Times take the units of parse_seconds;
/// "o" stands for o_s and o_r. Throws UsageError naming the parameters that are missing or unknown.
[[nodiscard]] ParameterTable parse_parameters(std::string_view model, std::string_view text);

}  // namespace postage
