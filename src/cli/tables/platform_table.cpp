#include "cli/tables/platform_table.hpp"

#include "cli/table.hpp"

#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// Unit of a model's parameter; seconds for models that are not known here.
std::string_view unit_of(const std::string& model, std::string_view symbol) {
  for (const ModelDescriptor* known : models()) {
    for (const ParameterDescription& parameter : known->parameters) {
      if (known->name == model && parameter.matches(symbol)) {
        return parameter.unit;
      }
    }
  }
  return "s";
}

/// "alpha=14 us"; times per byte as their inverse, a rate.
std::string shorter(const std::string& model, const std::string& symbol, double value) {
  const std::string_view unit = unit_of(model, symbol);
  if (unit == "s/B") {
    return fmt::format("1/{}={}", symbol, value > 0 ? format_rate(1 / value) : "0 s/B");
  }
  return fmt::format("{}={}", symbol,
                     unit == "B/s" ? format_rate(value)
                     : unit == "B" ? format_bytes(static_cast<Bytes>(value))
                     : unit == "s" ? format_seconds(value)
                                   : fmt::format("{:g}", value));
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "32K", or a dash for a protocol that is never used.
std::string from_size(Bytes bytes) {
  return bytes >= ProtocolThresholds::kNever ? "-" : format_bytes(bytes);
}

void print_thresholds(const std::vector<MeasuredThresholds>& measured) {
  Table table({{"shared memory"},
               {"buffers"},
               {"eager up to", Table::Align::kRight},
               {"single copy from", Table::Align::kRight},
               {"cooperative from", Table::Align::kRight},
               {"under skew from", Table::Align::kRight},
               {"bidirectional from", Table::Align::kRight},
               {"pool"}});
  for (const auto& [level, buffers, sizes] : measured) {
    table.add_row({level, buffers == BufferUse::kReused ? "reused" : "rewritten", from_size(sizes.eager),
                   from_size(sizes.single_copy), from_size(sizes.cooperative), from_size(sizes.skewed_single_copy),
                   from_size(sizes.bidirectional_single_copy), sizes.pool_window ? "window" : "whole"});
  }
  fmt::print("{}", table.render(output_width()));
}

}  // namespace

void print_parameters(const Platform& platform) {
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
        values += (values.empty() ? "" : "  ") + shorter(model.model, symbol, estimate.value);
      }
      for (const auto& [symbol, curve] : group.curves) {
        values += fmt::format("{}{} at {}", values.empty() ? "" : "  ", symbol, counted(curve.size(), "size"));
      }
      for (const auto& [symbol, surface] : group.surfaces) {
        values += fmt::format("{}{} in {}", values.empty() ? "" : "  ", symbol, counted(surface.size(), "row"));
      }
      table.add_row({model.model, group.scope.channel, format_bytes(group.from_bytes), values});
    }
  }
  fmt::print("{}", table.render(output_width()));
  if (single > 0) {
    fmt::print("and {} sets of parameters for single ranks or pairs of ranks, since they differ\n", single);
  }
}

void print_thresholds(const Platform& platform) {
  if (!platform.shm_protocols.empty()) {
    print_thresholds(platform.shm_protocols);
  }
  const auto imprecise = std::count_if(platform.points.begin(), platform.points.end(),
                                       [](const MeasuredPoint& point) { return !point.precise; });
  if (imprecise > 0) {
    fmt::print("{} of {} points did not reach the precision asked for: give a longer --budget or a quieter machine\n",
               imprecise, platform.points.size());
  }
}

}  // namespace postage
