#pragma once

#include <postage/base/error.hpp>
#include <postage/model/curve.hpp>
#include <postage/platform/parameters.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Which end of the parameters' intervals a model is built from. Every cost grows with every parameter (rates like
/// LMO's beta are taken at their other end), so the bounds of the parameters bound the prediction.
enum class Bound { kLower, kValue, kUpper };

/// "channel inter-node", "ranks 0 and 3", "the processor of rank 3".
[[nodiscard]] std::string describe(const ParameterScope& scope);

/// Reads one group's parameters at one end of their intervals, and refuses what is missing, negative, not a number, out
/// of order or of the wrong shape with one sentence that names model, parameter and scope.
class GroupReader {
 public:
  GroupReader(const ParameterTable& table, const ParameterGroup& group, Bound bound)
      : table_(&table), group_(&group), bound_(bound) {}

  [[nodiscard]] const ParameterGroup& group() const { return *group_; }
  [[nodiscard]] bool has(std::string_view symbol) const;

  [[nodiscard]] double value(std::string_view symbol) const;
  [[nodiscard]] double value_or(std::string_view symbol, double otherwise) const;
  /// The estimate itself, whatever the bound: counts and thresholds, with which no cost grows.
  [[nodiscard]] double exact(std::string_view symbol) const;
  [[nodiscard]] double exact_or(std::string_view symbol, double otherwise) const;
  /// A correction, which may be negative; finite.
  [[nodiscard]] double signed_value(std::string_view symbol) const;
  /// 1/value: a rate's lower end gives the upper cost. The rate must not be 0.
  [[nodiscard]] double inverse(std::string_view symbol) const;
  [[nodiscard]] CostCurve curve(std::string_view symbol) const;
  [[nodiscard]] CostSurface surface(std::string_view symbol) const;

  /// The symbols of the group with this prefix: n@ finds n@shared-cache.
  [[nodiscard]] std::vector<std::string> symbols_with_prefix(std::string_view prefix) const;

  /// "parameter SYMBOL of the MODEL model for SCOPE WHAT".
  [[nodiscard]] Error wrong(std::string_view symbol, std::string_view what) const;

 private:
  [[nodiscard]] double at_bound(std::string_view symbol, const Estimate& estimate, Bound bound) const;
  [[nodiscard]] const Estimate& estimate(std::string_view symbol) const;
  [[nodiscard]] CostCurve to_curve(std::string_view symbol, const ParameterCurve& points) const;
  [[nodiscard]] Error missing(std::string_view symbol) const;

  const ParameterTable* table_;
  const ParameterGroup* group_;
  Bound bound_;
};

}  // namespace postage
