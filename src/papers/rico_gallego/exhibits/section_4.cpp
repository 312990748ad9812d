#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/jobs.hpp"

#include <fmt/format.h>

namespace postage::rico_gallego_paper {
namespace {

constexpr std::string_view kTwoTaus = "o=1us,n=2,L=8K/1:2us;64K/1:16us;8K/2:3us;64K/2:20us";

ExhibitResult segments(PaperContext&) {
  const FormulaJob loggp{.platform = on_one_channel("loggp", kLogGP), .bytes = 65536, .segment = kSegment};
  const FormulaJob tau_lop{.platform = on_one_channel("taulop", kTwoTaus), .bytes = 65536, .segment = kSegment};
  const auto row = [](const char* what, Seconds by_hand, std::string_view name, const FormulaJob& job) {
    return number_row(what, by_hand, formula("p2p", name, job), AxisUnit::kSeconds);
  };
  return {.rows = {row("LogGP: 7 + 8.191 + 7 (2 + 8.191) us", 86.528e-6, "rico-gallego-loggp-segments", loggp),
                   row("LogGP, approximately: 7 + 8.192 + 7 (2 + 8.192) us", 86.536e-6,
                       "rico-gallego-loggp-segments-approx", loggp),
                   number_row("LogGP, the evaluator", 86.528e-6, evaluator("p2p", "rico-gallego-loggp-segments", loggp),
                              AxisUnit::kSeconds),
                   row("tau-Lop: 2 * 2 + 7 * 3 us", 25e-6, "rico-gallego-segments", tau_lop),
                   row("tau-Lop, approximately: 1 + 8 * 3 us", 25e-6, "rico-gallego-segments-approx", tau_lop),
                   number_row("tau-Lop, the evaluator, with o(m): 1 + 2 * 2 + 7 * 3 us", 26e-6,
                              evaluator("p2p", "rico-gallego-segments", tau_lop), AxisUnit::kSeconds)},
          .why =
              "A message of 64K in k = 8 segments of 8K; o = 1 us, L(8K, 1) = 2 us and L(8K, 2) = 3 us of tau-Lop. "
              "The exact tau-Lop form leaves out o(m), the approximate one has it (see the misprints)."};
}

ExhibitResult exchange(PaperContext&) {
  const FormulaJob job{.platform = on_one_channel("taulop", kTwoTaus), .bytes = 65536, .segment = kSegment};
  const FormulaJob flat{.platform = on_one_channel("taulop", "o=1us,L=2us,n=2,S=8K"), .ranks = 16, .bytes = 65536};
  return {
      .rows = {number_row("one process alone: 1 + 16 * 2 us", 33e-6, formula("p2p", "rico-gallego-exchange", job),
                          AxisUnit::kSeconds),
               number_row("P = 2, L(S, 2) = 3 us: 1 + 16 * 3 us", 49e-6, formula("p2p", "rico-gallego-eq2", job),
                          AxisUnit::kSeconds),
               number_row("P = 2, the evaluator", 49e-6, evaluator("p2p", "rico-gallego-eq2", job), AxisUnit::kSeconds),
               number_row("P = 16, flat: 1 + 16 * 2 us", 33e-6, evaluator("p2p", "rico-gallego-eq2", flat),
                          AxisUnit::kSeconds)},
      .why = "Ranks that send 64K to each other in segments of 8K: 2k transfers of each, of which none overlap."};
}

ExhibitResult scatter(PaperContext&) {
  const FormulaJob flat{.platform = on_one_channel("taulop", kFlat), .ranks = 32, .bytes = kSegment};
  const FormulaJob grown{.platform = on_one_channel("taulop", growing()), .ranks = 4, .bytes = kSegment};
  return {.rows = {number_row("flat, P = k = 32: 2 us (16 + 8 + 4 + 2 + 1)", 62e-6,
                              formula("scatter", "rico-gallego-eq1", flat), AxisUnit::kSeconds),
                   number_row("2 us tau^0.6, P = k = 4: 2 * 2 * 2^0.6 + 2 * 4^0.6 us", 10.6577e-6,
                              formula("scatter", "rico-gallego-eq1", grown), AxisUnit::kSeconds),
                   number_row("flat, the evaluator: 2 us (17 + 9 + 5 + 3 + 2)", 72e-6,
                              evaluator("scatter", "rico-gallego-eq1", flat), AxisUnit::kSeconds)},
          .why = "The evaluator takes each message's exact 2 L(S,1) + (k-1) L(S,2), eq. 1 its approximation k L(S,2)."};
}

ExhibitResult allgather(PaperContext&) {
  std::vector<PaperRow> rows{
      number_row("flat, P = k = 32: 2 us (2 + 4 + 8 + 16 + 32)", 124e-6,
                 formula("allgather", "rico-gallego-eq3",
                         {.platform = on_one_channel("taulop", kFlat), .ranks = 32, .bytes = kSegment}),
                 AxisUnit::kSeconds)};
  const PlatformModel grown = on_one_channel("taulop", growing());
  for (const auto& [ranks, by_hand] : {std::pair(32, 992e-6), {64, 3055.69e-6}, {128, 9336.62e-6}}) {
    const FormulaJob job{.platform = grown, .ranks = ranks, .bytes = kSegment};
    rows.push_back(number_row(fmt::format("2 us tau^0.6, P = k = {0}: 2 ({0} - 1) * 2 * {0}^0.6 us", ranks), by_hand,
                              formula("allgather", "rico-gallego-eq3", job), AxisUnit::kSeconds));
    rows.push_back(number_row("the same, the evaluator", by_hand, evaluator("allgather", "rico-gallego-eq3", job),
                              AxisUnit::kSeconds));
  }
  return {.rows = std::move(rows), .why = "All processes exchange at once: L(S, P) in every stage."};
}

ExhibitResult expansion(PaperContext&) {
  const FormulaJob job{.platform = on_one_channel("taulop", growing()), .ranks = 32, .bytes = kSegment};
  const Seconds bound = formula("scatter", "rico-gallego-eq4-bound", job);
  const Seconds whole = formula("allgather", "rico-gallego-eq3", job);
  return {.rows = {number_row("the bound, P = k = 32: 31 * 2 * 32^0.6 us", 496e-6, bound, AxisUnit::kSeconds),
                   number_row("recursive doubling over the bound", 2, whole / bound, AxisUnit::kNumber),
                   claim_row("the scatter of eq. 1 over the bound", "< 1",
                             formula("scatter", "rico-gallego-eq1", job) / bound, AxisUnit::kNumber,
                             formula("scatter", "rico-gallego-eq1", job) < bound)},
          .why = "For L(S, tau) = 2 us tau^0.6."};
}

}  // namespace

Exhibits section_4() {
  const std::string where = "src/predict/formulas/rico_gallego.cpp";
  return {
      {.kind = ExhibitKind::kEquation,
       .number = "4-segments",
       .caption = "a message in segments by LogGP and by tau-Lop (section 4)",
       .where = {where + "#segmented_message", "src/model/segments.cpp"},
       .command = formula_command("p2p", "all", "-m 64K --segment 8K", "loggp", kLogGP),
       .compute = segments},
      {.kind = ExhibitKind::kEquation,
       .number = "1",
       .caption = "binomial scatter by tau-Lop",
       .where = {where + "#binomial_scatter", "src/schedule/algorithms/scatter.cpp#binomial"},
       .command = formula_command("scatter", "rico-gallego-eq1", "-P 32 -m 8K", "taulop", kFlat),
       .compute = scatter},
      {.kind = ExhibitKind::kEquation,
       .number = "2",
       .caption = "an exchange, and a stage in which all processes exchange",
       .where = {where + "#exchange_stage", "include/postage/model/tau_lop.hpp#receiver_sends"},
       .command = formula_command("p2p", "rico-gallego-eq2", "-P 2 -m 64K --segment 8K", "taulop", kTwoTaus),
       .compute = exchange},
      {.kind = ExhibitKind::kEquation,
       .number = "3",
       .caption = "recursive doubling allgather by tau-Lop",
       .where = {where + "#recursive_doubling_allgather", "src/schedule/algorithms/allgather.cpp#recursive_doubling"},
       .command = formula_command("allgather", "rico-gallego-eq3", "-P 32 -m 8K", "taulop", kFlat),
       .compute = allgather},
      {.kind = ExhibitKind::kEquation,
       .number = "4",
       .caption = "eq. 1 and 3 expanded, and the scatter's upper bound",
       .where = {where + "#binomial_scatter_bound"},
       .command = formula_command("scatter", "rico-gallego-eq4-bound", "-P 32 -m 8K", "taulop", kFlat),
       .compute = expansion}};
}

}  // namespace postage::rico_gallego_paper
