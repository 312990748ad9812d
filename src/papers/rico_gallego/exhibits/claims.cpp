#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/jobs.hpp"

#include <fmt/format.h>

namespace postage::rico_gallego_paper {
namespace {

double ratio(Seconds (*time)(std::string_view, std::string_view, const FormulaJob&), const FormulaJob& job) {
  return time("allgather", "rico-gallego-eq3", job) / time("scatter", "rico-gallego-eq1", job);
}

PaperRow twofold(const std::string& what, double found, bool holds) {
  return claim_row(what, "> 2", found, AxisUnit::kNumber, holds);
}

ExhibitResult twofold_by_formulas(PaperContext&) {
  std::vector<PaperRow> rows;
  const PlatformModel grown = on_one_channel("taulop", growing());
  double before = 2;
  for (const Rank ranks : {32, 64, 128}) {
    const double found = ratio(formula, {.platform = grown, .ranks = ranks, .bytes = kSegment});
    rows.push_back(
        twofold(fmt::format("eq. 3 over eq. 1, P = k = {}, more than before", ranks), found, found > before));
    before = found;
  }
  before = 2;
  for (const Rank ranks : {32, 64, 128}) {
    const double found = ratio(evaluator, {.platform = grown, .ranks = ranks, .bytes = kSegment});
    rows.push_back(twofold(fmt::format("the evaluator, P = k = {}, more than before", ranks), found, found > before));
    before = found;
  }
  const FormulaJob flat{.platform = on_one_channel("taulop", kFlat), .ranks = 32, .bytes = kSegment};
  const FormulaJob whole{.platform = on_one_channel("taulop", "o=0,L=2us,n=2"), .ranks = 32, .bytes = kSegment};
  rows.push_back(our_row("a flat L, P = k = 32, eq. 3 over eq. 1", ratio(formula, flat), AxisUnit::kNumber));
  rows.push_back(our_row("a flat L, P = k = 32, the evaluator", ratio(evaluator, flat), AxisUnit::kNumber));
  rows.push_back(our_row("whole messages and a flat L, the evaluator", ratio(evaluator, whole), AxisUnit::kNumber));
  return {.rows = std::move(rows),
          .why =
              "The claim is printed for \"any m and P\". By the equations it needs L(S, tau) that grows with tau, and "
              "P > 2; a flat L gives exactly 2. Message by message the scatter takes k+1 transfers where eq. 1 has k, "
              "so that it also needs messages of many segments: 124 over 72 us for a flat L and k = P = 32. Messages "
              "that are not segmented take 2 L in either collective, and nothing follows. L(S, tau) = 2 us tau^0.6 "
              "above the last three rows."};
}

ExhibitResult moved_bytes(PaperContext&) {
  constexpr Rank kCounted = 16;
  constexpr Bytes kCountedBlock = 1000;
  const auto bytes_of = [](Collective collective, std::string_view algorithm) {
    return static_cast<double>(
        traffic_of(build_schedule(find_algorithm(collective, algorithm), {.ranks = kCounted, .bytes = kCountedBlock}))
            .bytes);
  };
  return {.rows = {number_row("scatter, log2 P * m/2 for P = 16, m = 16000", 32000,
                              bytes_of(Collective::kScatter, "binomial"), AxisUnit::kNumber),
                   number_row("allgather, (P-1) m", 240000, bytes_of(Collective::kAllgather, "recursive-doubling"),
                              AxisUnit::kNumber)},
          .why = "Bytes of all messages of the schedules, with blocks of 1000 bytes."};
}

ExhibitResult exchanges(PaperContext&) {
  const FormulaJob job{.platform = on_one_channel("taulop", growing()), .bytes = 8 * kSegment};
  const double found = formula("p2p", "rico-gallego-exchange", job) / formula("p2p", "rico-gallego-segments", job);
  return {.rows = {claim_row("2k L(S,1) over 2 L(S,1) + (k-1) L(S,2), k = 8", ">= 1", found, AxisUnit::kNumber,
                             found >= 1)},
          .why = "It follows from L(S,2) <= 2 L(S,1), which a serial channel has. Here L(S, tau) = 2 us tau^0.6."};
}

}  // namespace

Exhibits claims() {
  return {{.kind = ExhibitKind::kClaim,
           .number = "4-twofold",
           .caption = "the allgather costs more than twice the scatter, and the more so the more processes there are",
           .where = {"tests/unit/predict/formulas_test.cpp"
                     "#RecursiveDoublingIsEquationThreeAndMoreThanTwiceTheScatter"},
           .compute = twofold_by_formulas},
          {.kind = ExhibitKind::kClaim,
           .number = "4-bytes",
           .caption = "bytes moved by scatter and allgather, which LogGP gives the same cost",
           .where = {"src/schedule/check/traffic.cpp#traffic_of"},
           .compute = moved_bytes},
          {.kind = ExhibitKind::kClaim,
           .number = "4-exchange",
           .caption = "an exchange costs at least as much as a message",
           .where = {"src/predict/formulas/rico_gallego.cpp#segmented_exchange"},
           .compute = exchanges}};
}

}  // namespace postage::rico_gallego_paper
