#include "cli/platform_table.hpp"

#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::string shorter(const Estimate& e, const char* unit) {
  if (std::string(unit) == "s/B") {
    return e.value > 0 ? format_rate(1 / e.value) : "0 s/B";
  }
  return format_seconds(e.value);
}

/// "at 32K", or a dash for a way that is never taken.
std::string from_size(Bytes bytes) {
  return bytes >= ChannelThresholds::kNever ? "-" : format_bytes(bytes);
}

void print_thresholds(const std::vector<MeasuredThresholds>& measured) {
  Table table({{"cores joined by"},
               {"ring up to", Table::Align::kRight},
               {"single copy from", Table::Align::kRight},
               {"joint copy from", Table::Align::kRight},
               {"under skew from", Table::Align::kRight}});
  for (const auto& [channel, sizes] : measured) {
    table.add_row({channel, from_size(sizes.eager), from_size(sizes.single_copy), from_size(sizes.joint_copy),
                   from_size(sizes.skewed_single_copy)});
  }
  fmt::print("{}", table.render(output_width()));
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
        const bool per_byte = symbol == "beta" || symbol == "G";
        values += fmt::format("{}{}={}", values.empty() ? "" : "  ", per_byte ? "1/" + symbol : symbol,
                              shorter(estimate, per_byte ? "s/B" : "s"));
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
  if (!platform.channel_thresholds.empty()) {
    print_thresholds(platform.channel_thresholds);
  }
  const auto imprecise = std::count_if(platform.points.begin(), platform.points.end(),
                                       [](const MeasuredPoint& point) { return !point.precise; });
  if (imprecise > 0) {
    fmt::print("{} of {} points did not reach the precision asked for: give a longer --budget or a quieter machine\n",
               imprecise, platform.points.size());
  }
}

}  // namespace postage
