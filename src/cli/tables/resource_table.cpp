#include "cli/tables/resource_table.hpp"

#include "cli/table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace postage {
namespace {

std::string upper_end(const Prediction& prediction) {
  return std::isfinite(prediction.upper) ? format_seconds(prediction.upper) : "unknown";
}

}  // namespace

void print_gains(const std::vector<ResourceGain>& gains, Seconds now) {
  if (gains.empty()) {
    return;
  }
  using Align = Table::Align;
  fmt::print("one resource twice as good:\n");
  Table table({{"times faster", Align::kRight},
               {"time", Align::kRight},
               {"lower", Align::kRight},
               {"upper", Align::kRight},
               {"what if"}});
  for (const ResourceGain& gain : gains) {
    table.add_row({fmt::format("{:.2f}", now / gain.prediction.seconds), format_seconds(gain.prediction.seconds),
                   format_seconds(gain.prediction.lower), upper_end(gain.prediction), gain.change});
  }
  fmt::print("{}", table.render(output_width()));
}

void print_what_if(const std::string& text, std::int32_t further_nodes) {
  fmt::print("what if {}:\n", text);
  if (further_nodes > 0) {
    fmt::print("# extrapolated: {} nodes more than were measured, each taken to be like one that was\n", further_nodes);
  }
}

}  // namespace postage
