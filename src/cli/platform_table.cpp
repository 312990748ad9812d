#include "cli/platform_table.hpp"

#include "cli/table.hpp"

#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// A parameter in its unit; an inverse rate as the rate: 1/G=96.68 MB/s.
std::string describe(std::string_view model, const std::string& symbol, const Estimate& e) {
  const auto& parameters = find_model(model).parameters;
  const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                      [&](const ParameterDescription& one) { return one.matches(symbol); });
  const std::string_view unit = parameter == parameters.end() ? "1" : parameter->unit;
  if (unit == "s/B") {
    return e.value > 0 ? fmt::format("1/{}={}", symbol, format_rate(1 / e.value))
                       : fmt::format("{}={:.3g} s/B", symbol, e.value);
  }
  return fmt::format("{}={}", symbol,
                     unit == "s"     ? format_seconds(e.value)
                     : unit == "B/s" ? format_rate(e.value)
                     : unit == "B"   ? format_bytes(static_cast<Bytes>(e.value))
                                     : fmt::format("{:g}", e.value));
}

}  // namespace

void print_platform(const Platform& platform) {
  Table table({{"model"}, {"channel"}, {"from size", Table::Align::kRight}, {"parameters"}});
  std::size_t single = 0;
  for (const ParameterTable& model : platform.models) {
    for (const ParameterGroup& group : model.groups) {
      if (group.scope.is_pair() || group.scope.is_processor()) {
        ++single;
        continue;
      }
      std::string values;
      for (const auto& [symbol, estimate] : group.values) {
        values += (values.empty() ? "" : "  ") + describe(model.model, symbol, estimate);
      }
      for (const auto& [symbol, curve] : group.curves) {
        values += fmt::format("{}{} at {} sizes", values.empty() ? "" : "  ", symbol, curve.size());
      }
      for (const auto& [symbol, surface] : group.surfaces) {
        values += fmt::format("{}{} in {} rows", values.empty() ? "" : "  ", symbol, surface.size());
      }
      table.add_row({model.model, group.scope.channel, format_bytes(group.from_bytes), values});
    }
  }
  fmt::print("{}: {}, {} ranks on {} node{}\n", platform.name, platform.implementation, platform.ranks.size(),
             platform.nodes.size(), platform.nodes.size() == 1 ? "" : "s");
  fmt::print("{}", table.render(output_width()));
  if (single > 0) {
    fmt::print("and {} sets of parameters for single ranks or pairs of ranks, since they differ\n", single);
  }
  const auto imprecise = std::count_if(platform.points.begin(), platform.points.end(),
                                       [](const MeasuredPoint& point) { return !point.precise; });
  if (imprecise > 0) {
    fmt::print("{} of {} points did not reach the precision asked for: give a longer --budget or a quieter machine\n",
               imprecise, platform.points.size());
  }
}

}  // namespace postage
