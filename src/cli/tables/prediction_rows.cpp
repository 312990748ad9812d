#include "cli/tables/prediction_rows.hpp"

#include "cli/table.hpp"
#include "cli/tables/escalations.hpp"

#include <postage/base/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

Json to_json(const PredictionRow& row) {
  Json json{{"collective", row.collective},
            {"algorithm", row.algorithm},
            {"P", row.ranks},
            {"bytes", row.bytes},
            {"segment", row.segment},
            {"model", row.model},
            {"seconds", row.prediction.seconds},
            {"lower", row.prediction.lower},
            {"upper", row.prediction.upper},
            {"bounds", name_of(row.prediction.bounds)},
            {"extrapolated", row.extrapolated},
            {"evaluator", name_of(row.prediction.evaluator)}};
  add_escalations(json, row.prediction);
  return json;
}

std::string marks_of(const PredictionRow& row) {
  return std::string(row.extrapolated ? "*" : "") + (row.prediction.evaluator == Evaluator::kRounds ? "+" : "") +
         (row.prediction.may_escalate() ? "!" : "");
}

void print_escalations(const std::vector<PredictionRow>& rows) {
  for (const PredictionRow& row : rows) {
    if (row.prediction.may_escalate()) {
      fmt::print("! {} {} at {} may escalate, to {}\n", row.collective, row.algorithm, format_bytes(row.bytes),
                 describe_escalations(row.prediction));
    }
  }
}

}  // namespace

void print_rows(const std::vector<PredictionRow>& rows) {
  using Align = Table::Align;
  Table table({{"collective"},
               {"algorithm"},
               {"P", Align::kRight},
               {"size", Align::kRight},
               {"segment", Align::kRight},
               {"model"},
               {"time", Align::kRight},
               {"lower", Align::kRight},
               {"upper", Align::kRight},
               {""}});
  bool any_extrapolated = false;
  bool any_rounds = false;
  for (const PredictionRow& row : rows) {
    any_extrapolated = any_extrapolated || row.extrapolated;
    any_rounds = any_rounds || row.prediction.evaluator == Evaluator::kRounds;
    table.add_row({row.collective, row.algorithm, std::to_string(row.ranks), format_bytes(row.bytes),
                   row.segment > 0 ? format_bytes(row.segment) : "-", row.model, format_seconds(row.prediction.seconds),
                   format_seconds(row.prediction.lower),
                   std::isfinite(row.prediction.upper) ? format_seconds(row.prediction.upper) : "unknown",
                   marks_of(row)});
  }
  fmt::print("{}", table.render(output_width()));
  if (any_extrapolated) {
    fmt::print("* extrapolated: the model was not fitted to messages of this size\n");
  }
  if (any_rounds) {
    fmt::print("+ evaluated round by round, not rank by rank\n");
  }
  const auto is_held_out = [](const PredictionRow& row) { return row.prediction.bounds == BoundsOrigin::kHeldOut; };
  if (std::all_of(rows.begin(), rows.end(), is_held_out)) {
    fmt::print("lower and upper hold 95 % of what was measured beside the platform's experiments\n");
  }
  print_escalations(rows);
}

Json to_json(const std::vector<PredictionRow>& rows) {
  Json list = Json::array();
  for (const PredictionRow& row : rows) {
    list.push_back(to_json(row));
  }
  return list;
}

}  // namespace postage
