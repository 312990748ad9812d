#include "papers/ali/table_times.hpp"

#include "papers/ali/blade_points.hpp"
#include "papers/jobs.hpp"

#include <fmt/format.h>

namespace postage::ali_paper {
namespace {

constexpr std::string_view kModel = "plogp-cell";
constexpr std::string_view kOneChip =
    "L=16:0.311us;65552:3.784408us,g=16:0.097us;65552:1.997544us,g_ack=.041us,gamma=.023ns";
constexpr std::string_view kTwoChips =
    "gamma=.023ns [shared-cache] L=16:0.311us;65552:3.784408us,g=16:0.097us;65552:1.997544us,g_ack=.041us "
    "[inter-node] L=16:0.577us;65552:9.162216us,g=16:0.171us;65552:4.561912us,g_ack=.059us,"
    "C=256/2:0us;65552/2:0us;256/16:.419us;65552/16:1.529032us";

PlatformModel platform_for(Rank ranks) {
  return ranks > kSpesOfChip ? on_nodes(kModel, kTwoChips, Mapping::block(2, kSpesOfChip))
                             : on_nodes(kModel, kOneChip, Mapping::block(1, kSpesOfChip));
}

PaperRow time_row(const PrintedTime& time, std::string_view by, double printed_us, Seconds ours,
                  std::string_view note) {
  PaperRow row = number_row(fmt::format("{}; {}", time.what, by), printed_us * 1e-6, ours, AxisUnit::kSeconds);
  if (verdict_of(row) == RowVerdict::kDiffers) {
    row.note = note;
  }
  return row;
}

void add_rows(std::vector<PaperRow>& rows, std::string_view collective, const PrintedTime& time) {
  const PlatformModel platform = platform_for(time.ranks);
  FormulaJob job{.platform = platform, .ranks = time.ranks, .bytes = time.bytes};
  if (time.x > 0) {
    job.settings.emplace("x", time.x);
  }
  const Formula& formula = find_formula(collective, time.formula);
  const Interval ours = evaluate(formula, job);
  const Prediction found = evaluate_schedule_of(formula, job);
  rows.push_back(time_row(time, "formula", time.lower_us, ours.lower, {}));
  rows.push_back(time_row(time, "evaluator", time.lower_us, found.lower, time.evaluator_note));
  if (time.upper_us > 0) {
    rows.push_back(time_row(time, "longest X, formula", time.upper_us, ours.upper, {}));
    rows.push_back(time_row(time, "longest X, evaluator", time.upper_us, found.upper, time.evaluator_note));
  }
}

}  // namespace

ExhibitResult compare_times(std::string_view collective, std::span<const PrintedTime> times) {
  ExhibitResult result{
      .why =
          "For L_1(m) = 0.311 us + 0.053 ns (m - 16), g_1(m) = 0.097 us + 0.029 ns (m - 16), L_2(m) = 0.577 us + "
          "0.131 ns (m - 16), g_2(m) = 0.171 us + 0.067 ns (m - 16), C(m, n) = (0.419 us + 0.017 ns (m - 256)) "
          "(n - 2)/14 for m > 256 and n > 2, gaps of acknowledgements 0.041 and 0.059 us, gamma = 0.023 ns; one "
          "chip's L and g are L_1 and g_1. The times are worked out by a script that knows the print only. The "
          "formula is the printed one, the evaluator follows the schedule's messages."};
  for (const PrintedTime& time : times) {
    add_rows(result.rows, collective, time);
  }
  return result;
}

std::string two_chips_command(std::string_view collective, std::string_view formula, const std::string& job) {
  return formula_command(collective, formula, fmt::format("{} --nodes 2 --per-node {}", job, kSpesOfChip), kModel,
                         kTwoChips);
}

}  // namespace postage::ali_paper
