#include "papers/builtin_papers.hpp"
#include "papers/chai/messages.hpp"

#include <postage/bench/skew_formulas.hpp>

#include <fmt/format.h>

namespace postage::chai_paper {
namespace {

using closed_form::SkewBenchmark;

constexpr Seconds kC1 = 1e-6;
constexpr int kWindow = 64;

SkewBenchmark benchmark_of(Seconds c2) {
  return {.producer_computation = kC1, .consumer_computation = c2, .window = kWindow};
}

ExhibitResult formulas(PaperContext&) {
  const SkewBenchmark benchmark = benchmark_of(40e-6);
  return {
      .rows = {number_row("MVAPICH: (1 + 4) * 64 + 10 us", 330e-6,
                          closed_form::producer_time_by_copies(benchmark, 4e-6, 10e-6), AxisUnit::kSeconds),
               number_row("MVAPICH-LiMIC2: (6 + 40) * 64 + 10 us", 2954e-6,
                          closed_form::producer_time_by_single_copies(benchmark, 6e-6, 10e-6), AxisUnit::kSeconds)},
      .why = "For c1 = 1 us, c2 = 40 us, a window of 64, and 4, 6 and 10 us for MPI_Send, MPI_Recv and MPI_Waitall."};
}

ExhibitResult algorithm(PaperContext&) {
  const SkewBenchmark benchmark = benchmark_of(40e-6);
  const auto copies = closed_form::play_skew_by_copies(benchmark, 4e-6);
  const auto single = closed_form::play_skew_by_single_copies(benchmark, 0.5e-6, 6e-6);
  const auto by_formula = [&](Seconds wait_all) {
    return closed_form::producer_time_by_single_copies(benchmark, 6e-6, wait_all);
  };
  return {
      .rows = {number_row("MVAPICH: (1 + 4) * 64 us", 320e-6, copies.total, AxisUnit::kSeconds),
               number_row("MVAPICH-LiMIC2, the formula without MPI_Waitall: (6 + 40) * 64 us", 2944e-6, single.total,
                          AxisUnit::kSeconds),
               number_row("MVAPICH-LiMIC2, the formula with the MPI_Waitall that figure 5 contains",
                          by_formula(single.wait_all), single.total, AxisUnit::kSeconds)},
      .why =
          "Figure 5 played message by message for c1 = 1 us, c2 = 40 us, a window of 64, t(MPI_Send) = 4 us (an "
          "MPI_Isend of a single copy: 0.5 us) and t(MPI_Recv) = 6 us. The producer ends with the last receive, "
          "1.5 + 64 * 6 + 63 * 40 us: one c2 less than the formula has. Its t(MPI_Waitall) can only be a remainder: "
          "the whole call waits for the receives that the formula counts already (see the misprints)."};
}

const std::vector<std::string>& results() {
  static const std::vector<std::string> names{"skew", "skew-send", "skew-wait-all", "skew-receive"};
  return names;
}

MeasuredMessages measure(PaperContext& context) {
  return measure_messages(
      context, "skew", {.experiments = {"skew"}, .computations = {1, 5, 10, 20, 40, 80}, .repetitions = 7}, results());
}

/// d c3 / d c2 between 20 and 80 us.
double slope(const std::map<Bytes, Seconds>& times) {
  return (times.at(80) - times.at(20)) / 60e-6;
}

/// c3 of single copies by the formula, of measured t(MPI_Recv), with nothing left to wait for.
Seconds predicted_single(const MeasuredMessages& measured, Bytes c2) {
  return closed_form::producer_time_by_single_copies(benchmark_of(1e-6 * static_cast<double>(c2)),
                                                     measured.experiments.at("skew-receive").at(kSingleCopy).at(c2), 0);
}

Seconds predicted_copies(const MeasuredMessages& measured, Bytes c2) {
  return closed_form::producer_time_by_copies(benchmark_of(1e-6 * static_cast<double>(c2)),
                                              measured.experiments.at("skew-send").at(kCopies).at(c2),
                                              measured.experiments.at("skew-wait-all").at(kCopies).at(c2));
}

PaperChart chart_of(const std::string& title, const Medians& medians) {
  return {.title = title,
          .curves = curves_of(medians, false),
          .x = {"the consumer's computation c2 for each message [us]", AxisUnit::kNumber},
          .y = {"the producer's time c3", AxisUnit::kSeconds}};
}

ExhibitResult figure_6(PaperContext& context) {
  const MeasuredMessages measured = measure(context);
  const Medians& times = measured.experiments.at("skew");
  ExhibitResult result;
  for (const Bytes c2 : {10, 20, 40, 80}) {
    result.rows.push_back(number_row(fmt::format("copies, c2 = {} us: the formula, and measured", c2),
                                     predicted_copies(measured, c2), times.at(kCopies).at(c2), AxisUnit::kSeconds));
    result.rows.push_back(number_row(fmt::format("single copy, c2 = {} us: the formula, and measured", c2),
                                     predicted_single(measured, c2), times.at(kSingleCopy).at(c2), AxisUnit::kSeconds));
  }
  result.rows.push_back(number_row("single copy: c3 grows with c2, by c2 * window_size", kWindow,
                                   slope(times.at(kSingleCopy)), AxisUnit::kNumber, 0.05 * kWindow));
  const double flat = slope(times.at(kCopies));
  result.rows.push_back(
      claim_row("copies: c3 grows with c2, by c2 times", "no growth", flat, AxisUnit::kNumber, flat < 0.1 * kWindow));
  const double ratio = times.at(kSingleCopy).at(80) / times.at(kCopies).at(80);
  result.rows.push_back(claim_row("c3 of single copy over that of copies, c2 = 80 us", "much larger", ratio,
                                  AxisUnit::kNumber, ratio > 2));
  result.why = fmt::format(
      "Measured with the paper's 16 KB, c1 = 1 us and window of 64 ({}). The formulas take t(MPI_Send), t(MPI_Waitall) "
      "and t(MPI_Recv) as measured in the same windows; of single copy nothing is left to wait for after the last "
      "receive, after which the consumer's last c2 does not count: the formula is too long by one 64th of c2's part.",
      circumstances(measured));
  result.charts = {chart_of("Impact of process skew: 64 messages of 16 KB, c1 = 1 us", times)};
  return result;
}

ExhibitResult figure_7(PaperContext& context) {
  const MeasuredMessages measured = measure(context);
  const Medians& times = measured.experiments.at("skew");
  ExhibitResult result;
  for (const Bytes c2 : {20, 40, 80}) {
    const double over_copies = times.at(kSkewAware).at(c2) / times.at(kCopies).at(c2);
    const double over_single = times.at(kSkewAware).at(c2) / times.at(kSingleCopy).at(c2);
    result.rows.push_back(claim_row(fmt::format("c2 = {} us: c3 of skew-aware over that of copies", c2), "close to 1",
                                    over_copies, AxisUnit::kNumber, over_copies < 1.25));
    result.rows.push_back(claim_row(fmt::format("c2 = {} us: c3 of skew-aware over that of single copy", c2),
                                    "much lower", over_single, AxisUnit::kNumber, over_single < 0.5));
  }
  result.why = fmt::format(
      "Measured with single copy from 2 KB on where the receiver keeps up, and copies up to 256 KiB where it reports "
      "skew ({}). \"Close\" holds below 1.25, \"much lower\" below 0.5.",
      circumstances(measured));
  Medians drawn;
  for (const char* program : {kCopies, kSingleCopy, kSkewAware}) {
    drawn[program] = times.at(program);
  }
  result.charts = {chart_of("Skew-aware thresholds: 64 messages of 16 KB, c1 = 1 us", drawn)};
  return result;
}

}  // namespace

Exhibits skew() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "3.4",
           .caption = "c3, what a producer takes under process skew",
           .where = {"src/bench/skew_formulas.cpp#producer_time_by_copies"},
           .compute = formulas},
          {.kind = ExhibitKind::kFigure,
           .number = "5",
           .caption = "the process skew benchmark, and whether section 3.4's formulas follow from it",
           .where = {"src/bench/programs/skew.hpp#produce", "src/bench/skew_formulas.cpp#play_skew_by_single_copies"},
           .command = "postage bench --experiment skew",
           .compute = algorithm},
          {.kind = ExhibitKind::kFigure,
           .number = "6",
           .caption = "impact of process skew",
           .where = {"src/bench/programs/skew.hpp#skew"},
           .source = ExhibitSource::kMeasured,
           .duration = 45,
           .command = "postage bench --experiment skew",
           .compute = figure_6},
          {.kind = ExhibitKind::kFigure,
           .number = "7",
           .caption = "impact of skew-aware thresholds (section 4.2)",
           .where = {"src/shm/protocols/skew.hpp#SkewDetector", "src/bench/programs.hpp#kSkewAware"},
           .source = ExhibitSource::kMeasured,
           .duration = 45,
           .command = "postage bench --experiment skew",
           .compute = figure_7}};
}

}  // namespace postage::chai_paper
