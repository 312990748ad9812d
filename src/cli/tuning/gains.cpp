#include "cli/tuning/gains.hpp"

#include "cli/table.hpp"

#include <postage/report/rule_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// How sure it is: an interval where it was measured.
std::string tell_gain(const Gain& gain) {
  return gain.source == GainSource::kPredicted
             ? "not measured here"
             : fmt::format("{} ({} to {})", percent(gain.share), percent(gain.interval.lower),
                           percent(gain.interval.upper));
}

Table table_of(const std::vector<DecisionRule>& rules) {
  Table table({{"collective"},
               {"nodes", Table::Align::kRight},
               {"ranks", Table::Align::kRight},
               {"bytes", Table::Align::kRight},
               {"algorithm"},
               {"its name there"},
               {"default", Table::Align::kRight},
               {"saves", Table::Align::kRight}});
  const auto number = [](auto value) { return std::to_string(value); };
  for (const DecisionRule& rule : rules) {
    table.add_row({std::string(name_of(rule.collective)), span_text(rule.communicators.nodes, number),
                   span_text(rule.communicators.ranks, number), span_text(rule.bytes, format_bytes),
                   choice_text(rule.choice), rule.choice.library_name,
                   rule.default_seconds > 0 ? format_seconds(rule.default_seconds) : "-", tell_gain(rule.gain)});
  }
  return table;
}

}  // namespace

void print_gains(const DecisionTable& table) {
  fmt::print("{} {}: {} rules\n", name_of(table.target()), format_version(table.version()), table.rules().size());
  if (!table.rules().empty()) {
    fmt::print("{}", table_of({table.rules().begin(), table.rules().end()}).render(output_width()));
  }
  if (!table.dropped.empty()) {
    std::vector<DecisionRule> dropped;
    for (const DroppedRule& rule : table.dropped) {
      dropped.push_back(rule.rule);
    }
    fmt::print("\n{} rules dropped, since what they save is not surely enough; the default stays:\n{}", dropped.size(),
               table_of(dropped).render(output_width()));
  }
}

}  // namespace postage
