#include "cli/tables/lab_table.hpp"

#include "cli/table.hpp"

#include <fmt/format.h>

namespace postage {

void print_lab(const LabPlan& plan) {
  Table table({{"host"}, {"switch"}, {"rate", Table::Align::kRight}, {"latency to the switch", Table::Align::kRight}});
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    table.add_row({fmt::format("h{}", i), fmt::format("s{}", plan.switch_of(i)), format_bit_rate(plan.hosts[i].rate),
                   format_seconds(plan.hosts[i].latency)});
  }
  for (std::size_t i = 0; i < plan.uplinks.size(); ++i) {
    table.add_row({fmt::format("s{}", i), "core", format_bit_rate(plan.uplinks[i].rate),
                   format_seconds(plan.uplinks[i].latency)});
  }
  fmt::print("{}", table.render(output_width()));
}

}  // namespace postage
