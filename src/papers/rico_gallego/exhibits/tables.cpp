#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/jobs.hpp"

namespace postage::rico_gallego_paper {
namespace {

/// P = 8, k = 8 segments of 8K: L + 2o + S G = 15.192 us, g + S G = 10.192 us. Stages of the scatter with 7/2, 7/4 and
/// 7/8 further segments; of the allgather in the opposite order.
ExhibitResult table(std::string_view collective, std::string_view name) {
  const FormulaJob job{.platform = on_one_channel("loggp", kLogGP), .ranks = 8, .bytes = kSegment, .segment = kSegment};
  return {.rows = {number_row("the stages added: 50.864 + 33.028 + 24.110 us", 108.002e-6,
                              formula(collective, name, job), AxisUnit::kSeconds),
                   number_row("the last line: 3 * 15.192 + 7/8 * 7 * 10.192 us", 108.002e-6,
                              formula(collective, name, job), AxisUnit::kSeconds),
                   number_row("the evaluator, by the text's segments: 3 * 15.191 + (3 + 1 + 0) 10.191 us", 86.337e-6,
                              evaluator(collective, name, job), AxisUnit::kSeconds)},
          .why =
              "For P = k = 8, S = 8K, L = 5 us, o = 1 us, g = 2 us, G = 1 ns. The table gives a message of k/2 "
              "segments (k-1)/2 further ones, where the text's formula gives it k/2 - 1 (see the misprints): together "
              "6.125 and not 4 here."};
}

ExhibitResult table_one(PaperContext&) {
  return table("scatter", "rico-gallego-table1");
}

ExhibitResult table_two(PaperContext&) {
  return table("allgather", "rico-gallego-table2");
}

}  // namespace

Exhibits tables() {
  return {{.kind = ExhibitKind::kTable,
           .number = "1",
           .caption = "binomial scatter by LogGP",
           .where = {"src/predict/formulas/rico_gallego.cpp#binomial_scatter"},
           .command = formula_command("scatter", "rico-gallego-table1", "-P 8 -m 8K --segment 8K", "loggp", kLogGP),
           .compute = table_one},
          {.kind = ExhibitKind::kTable,
           .number = "2",
           .caption = "recursive doubling allgather by LogGP, the same total",
           .where = {"src/predict/formulas/rico_gallego.cpp#recursive_doubling_allgather"},
           .command = formula_command("allgather", "rico-gallego-table2", "-P 8 -m 8K --segment 8K", "loggp", kLogGP),
           .compute = table_two}};
}

}  // namespace postage::rico_gallego_paper
