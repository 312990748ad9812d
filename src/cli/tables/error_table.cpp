#include "cli/tables/error_table.hpp"

#include "cli/table.hpp"

#include <fmt/format.h>

namespace postage {

void print_errors(const Validation& validation, bool details) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"model"}};
  if (details) {
    columns.insert(columns.end(), {{"collective"}, {"algorithm"}});
  }
  columns.insert(columns.end(), {{"rows", Align::kRight},
                                 {"median error", Align::kRight},
                                 {"95 %", Align::kRight},
                                 {"worst", Align::kRight},
                                 {"within 10 %", Align::kRight},
                                 {"bias", Align::kRight}});
  Table table(std::move(columns));
  for (const ErrorSummary& s :
       summarise_errors(validation.rows, details ? SummaryScope::kAlgorithm : SummaryScope::kModel)) {
    std::vector<std::string> cells{s.model};
    if (details) {
      cells.insert(cells.end(), {s.collective, s.algorithm.empty() ? "-" : s.algorithm});
    }
    cells.insert(cells.end(),
                 {std::to_string(s.errors.count), percent(s.errors.median), percent(s.errors.percentile95),
                  percent(s.errors.maximum), percent(s.errors.within_tenth), signed_percent(s.errors.bias)});
    table.add_row(std::move(cells));
  }
  fmt::print("{}: {}, errors of predictions; no model was fitted to these measurements\n{}", validation.platform,
             validation.implementation, table.render(output_width()));
}

}  // namespace postage
