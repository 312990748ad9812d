#include "cli/tuning/gains.hpp"

#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

template <typename Number, typename Format>
std::string tell_span(const Span<Number>& span, const Format& format) {
  if (span.first == span.last) {
    return format(span.first);
  }
  return span.last == std::numeric_limits<Number>::max() ? format(span.first) + " on"
                                                         : format(span.first) + " to " + format(span.last);
}

std::string tell_choice(const DecisionChoice& choice) {
  std::string text = choice.algorithm;
  for (const auto& [name, value] : choice.parameters) {
    text += fmt::format(" {} {}", name, value);
  }
  return choice.segment > 0 ? text + " in " + format_bytes(choice.segment) : text;
}

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
    table.add_row({std::string(name_of(rule.collective)), tell_span(rule.communicators.nodes, number),
                   tell_span(rule.communicators.ranks, number), tell_span(rule.bytes, format_bytes),
                   tell_choice(rule.choice), rule.choice.library_name,
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
