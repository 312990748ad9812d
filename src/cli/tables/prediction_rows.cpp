#include "cli/tables/prediction_rows.hpp"

#include "cli/table.hpp"

#include <postage/job/escalations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

std::string marks_of(const PredictionRow& row) {
  return std::string(row.extrapolated ? "*" : "") + (row.prediction.evaluator == Evaluator::kRounds ? "+" : "") +
         (row.prediction.may_escalate() ? "!" : "") + (row.further_nodes > 0 ? "#" : "");
}

void print_further_nodes(const std::vector<PredictionRow>& rows) {
  const auto row = std::ranges::find_if(rows, [](const PredictionRow& one) { return one.further_nodes > 0; });
  if (row != rows.end()) {
    fmt::print(
        "# extrapolated: {} nodes more than were measured, each taken to be like one that was; links between switches "
        "that were not measured limit nothing\n",
        row->further_nodes);
  }
}

std::string times_faster(const PredictionRow& row) {
  return row.before ? fmt::format("{:.2f}", *row.before / row.prediction.seconds) : "";
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
  std::vector<Table::Column> columns{{"collective"},
                                     {"algorithm"},
                                     {"P", Align::kRight},
                                     {"size", Align::kRight},
                                     {"segment", Align::kRight},
                                     {"model"},
                                     {"time", Align::kRight},
                                     {"lower", Align::kRight},
                                     {"upper", Align::kRight},
                                     {""}};
  const bool any_what_if = std::ranges::any_of(rows, [](const auto& row) { return !row.what_if.empty(); });
  if (any_what_if) {
    columns.insert(columns.end(), {{"times faster", Align::kRight}, {"what if"}});
  }
  Table table(columns);
  bool any_extrapolated = false;
  bool any_rounds = false;
  for (const PredictionRow& row : rows) {
    any_extrapolated = any_extrapolated || row.extrapolated;
    any_rounds = any_rounds || row.prediction.evaluator == Evaluator::kRounds;
    std::vector<std::string> cells{
        row.collective,
        row.algorithm,
        std::to_string(row.ranks),
        format_bytes(row.bytes),
        row.segment > 0 ? format_bytes(row.segment) : "-",
        row.model,
        format_seconds(row.prediction.seconds),
        format_seconds(row.prediction.lower),
        std::isfinite(row.prediction.upper) ? format_seconds(row.prediction.upper) : "unknown",
        marks_of(row)};
    if (any_what_if) {
      cells.push_back(times_faster(row));
      cells.push_back(row.what_if);
    }
    table.add_row(std::move(cells));
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
  print_further_nodes(rows);
  print_escalations(rows);
}

}  // namespace postage
