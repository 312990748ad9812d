#include "report/page/brief.hpp"
#include "report/page/page_data.hpp"

#include <postage/report/rule_text.hpp>

#include <utility>

namespace postage {
namespace {

Json cell_data(const DecisionCell& cell) {
  return {{"collective", name_of(cell.collective)},
          {"nodes", cell.nodes},
          {"ranks", cell.ranks},
          {"bytes", cell.bytes},
          {"choice", choice_text(cell.choice)},
          {"tuned", brief(cell.tuned_seconds)},
          {"default", brief(cell.default_seconds)},
          {"measured", cell.measured}};
}

Json rule_data(const DecisionRule& rule) {
  const auto number = [](auto value) { return std::to_string(value); };
  return {{"collective", name_of(rule.collective)},
          {"nodes", span_text(rule.communicators.nodes, number)},
          {"ranks", span_text(rule.communicators.ranks, number)},
          {"bytes", span_text(rule.bytes, format_bytes)},
          {"first", rule.bytes.first},
          {"choice", choice_text(rule.choice)},
          {"library_name", rule.choice.library_name},
          {"default", brief(rule.default_seconds)},
          {"measured", rule.gain.source == GainSource::kMeasured},
          {"saves", brief({rule.gain.share, rule.gain.interval.lower, rule.gain.interval.upper})}};
}

}  // namespace

Json decision_data(const DecisionTable& table) {
  Json data{{"platform", table.platform},
            {"library", name_of(table.target())},
            {"version", format_version(table.version())},
            {"cells", Json::array()},
            {"rules", Json::array()},
            {"dropped", Json::array()}};
  for (const DecisionCell& cell : table.cells) {
    data["cells"].push_back(cell_data(cell));
  }
  for (const DecisionRule& rule : table.rules()) {
    data["rules"].push_back(rule_data(rule));
  }
  for (const DroppedRule& dropped : table.dropped) {
    Json rule = rule_data(dropped.rule);
    rule["reason"] = dropped.reason;
    data["dropped"].push_back(std::move(rule));
  }
  return data;
}

}  // namespace postage
