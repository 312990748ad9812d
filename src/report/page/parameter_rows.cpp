#include "report/page/page_data.hpp"

#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <cmath>

namespace postage {
namespace {

/// The unit of a model's parameter; empty for models that are not known here.
std::string_view unit_of_parameter(const std::string& model, std::string_view symbol) {
  for (const ModelDescriptor* known : models()) {
    for (const ParameterDescription& parameter : known->parameters) {
      if (known->name == model && parameter.matches(symbol)) {
        return parameter.unit;
      }
    }
  }
  return "";
}

std::string value_text(double value, std::string_view unit) {
  if (!std::isfinite(value)) {
    return "–";
  }
  if (unit == "s/B") {
    return fmt::format("{:.4g} ns/B", 1e9 * value);
  }
  return unit == "B/s" ? format_rate(value)
         : unit == "B" ? format_bytes(static_cast<Bytes>(value))
         : unit == "s" ? format_seconds(value)
                       : fmt::format("{:.4g}", value);
}

/// Its ends, and how many sizes there are between.
std::string curve_text(const ParameterCurve& curve, std::string_view unit) {
  if (curve.empty()) {
    return "–";
  }
  const auto end_text = [&](const auto& point) {
    return fmt::format("{} at {}", value_text(point.estimate.value, unit), format_bytes(point.bytes));
  };
  return curve.size() == 1
             ? end_text(curve.front())
             : fmt::format("{} … {}, {} sizes", end_text(curve.front()), end_text(curve.back()), curve.size());
}

class ParameterLister {
 public:
  void add(const std::string& model, const ParameterGroup& group) {
    const auto row = [&](const std::string& symbol, const std::string& value, const std::string& lower,
                         const std::string& upper) {
      list_.rows.push_back(
          Json::array({model, group.scope.channel, format_bytes(group.from_bytes), symbol, value, lower, upper}));
    };
    for (const auto& [symbol, estimate] : group.values) {
      const std::string_view unit = unit_of_parameter(model, symbol);
      row(symbol, value_text(estimate.value, unit), value_text(estimate.lower, unit), value_text(estimate.upper, unit));
    }
    for (const auto& [symbol, curve] : group.curves) {
      row(symbol, curve_text(curve, unit_of_parameter(model, symbol)), "–", "–");
    }
    for (const auto& [symbol, surface] : group.surfaces) {
      for (const ParameterRow& one : surface) {
        row(fmt::format("{}, {}", symbol, one.at), curve_text(one.curve, unit_of_parameter(model, symbol)), "–", "–");
      }
    }
  }
  void count_single() { ++list_.of_singles; }
  [[nodiscard]] ParameterRows take() { return std::move(list_); }

 private:
  ParameterRows list_;
};

}  // namespace

ParameterRows parameter_rows(const Platform& platform) {
  ParameterLister lister;
  for (const ParameterTable& table : platform.models) {
    for (const ParameterGroup& group : table.groups) {
      if (group.scope.is_pair() || group.scope.is_processor()) {
        lister.count_single();
      } else {
        lister.add(table.model, group);
      }
    }
  }
  return lister.take();
}

}  // namespace postage
