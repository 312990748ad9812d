#include "papers/ali/blade_study.hpp"
#include "papers/ali/missing_terms.hpp"
#include "papers/builtin_papers.hpp"

#include <postage/base/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace postage::ali_paper {
namespace {

/// The paper's figure leaves out algorithms whose errors are smaller.
constexpr double kUsual = 0.05;

double share_within(const std::vector<double>& errors, double bound) {
  const auto within =
      std::count_if(errors.begin(), errors.end(), [&](double error) { return std::abs(error) <= bound; });
  return static_cast<double>(within) / static_cast<double>(errors.size());
}

/// Pearson's, of predicted and simulated times.
double correlation(const BladeStudy& study) {
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < study.points().size(); ++i) {
    x.push_back(study.predicted(i));
    y.push_back(study.simulated(i));
  }
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xy / static_cast<double>(x.size() - 1) / std::sqrt(variance(x) * variance(y));
}

DrawnCurve errors_by_size(const BladeStudy& study, const std::string& series) {
  DrawnCurve curve{.label = drawn_name(series)};
  for (const std::size_t point : study.points_of(series)) {
    curve.x.push_back(static_cast<double>(study.points()[point].bytes));
    curve.y.push_back(study.error(point));
  }
  return curve;
}

std::size_t worst_of(const BladeStudy& study, const std::string& series) {
  const std::vector<std::size_t> points = study.points_of(series);
  return *std::max_element(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(study.error(a)) < std::abs(study.error(b));
  });
}

PaperRow worst_row(const BladeStudy& study, const std::string& series) {
  const std::size_t worst = worst_of(study, series);
  const StudyPoint& point = study.points()[worst];
  const std::string at = point.bytes > 0 ? format_bytes(point.bytes) : fmt::format("p = {}", point.ranks);
  PaperRow row = our_row(fmt::format("{}: largest error, {}", series, at), study.error(worst), AxisUnit::kShare);
  if (std::abs(study.error(worst)) > kUsual) {
    row.note = missing_term(point);
  }
  return row;
}

bool is_barrier(const StudyPoint& point) {
  return point.formula->collective == "barrier";
}

bool is_barrier_of_other_than_powers_of_two(const StudyPoint& point) {
  return is_barrier(point) && !std::has_single_bit(static_cast<unsigned>(point.ranks));
}

/// A chart for each collective with an error of more than 5 %.
std::vector<PaperChart> charts_of(const BladeStudy& study) {
  std::vector<PaperChart> charts;
  for (const char* collective : {"broadcast", "all-gather", "reduce", "all-reduce"}) {
    PaperChart chart{.name = collective,
                     .title = fmt::format("Errors of {}, algorithms with more than 5 %", collective),
                     .curves = {},
                     .y = {"error", AxisUnit::kShare, false}};
    for (const std::string& series : study.series()) {
      const bool belongs = series.starts_with(std::string(collective) + " ");
      if (belongs && std::abs(study.error(worst_of(study, series))) > kUsual) {
        chart.curves.push_back(errors_by_size(study, series));
      }
    }
    if (!chart.curves.empty()) {
      charts.push_back(std::move(chart));
    }
  }
  return charts;
}

/// Relative errors of all points, and of some.
struct Errors {
  std::vector<double> all{};
  std::vector<double> righted{};
  std::vector<double> of_data{};  ///< the collectives of figure 10
  std::vector<double> of_data_righted{};
  std::vector<double> of_powers{};  ///< without barriers of other p than powers of two
  std::vector<double> evaluator{};
  std::vector<double> timeline{};  ///< of barriers
};

Errors errors_of(const BladeStudy& study) {
  Errors errors;
  for (std::size_t i = 0; i < study.points().size(); ++i) {
    const StudyPoint& point = study.points()[i];
    const auto error = [&](Seconds seconds) { return seconds / study.simulated(i) - 1; };
    errors.all.push_back(study.error(i));
    errors.righted.push_back(error(study.righted(i)));
    errors.evaluator.push_back(error(study.evaluated(i)));
    if (!is_barrier_of_other_than_powers_of_two(point)) {
      errors.of_powers.push_back(errors.all.back());
    }
    if (is_barrier(point)) {
      errors.timeline.push_back(error(study.evaluated(i, Evaluator::kTimeline)));
    } else {
      errors.of_data.push_back(errors.all.back());
      errors.of_data_righted.push_back(errors.righted.back());
    }
  }
  return errors;
}

void add_shares(const std::string& of, const std::vector<double>& errors, std::vector<PaperRow>& rows) {
  for (const auto& [name, bound] : {std::pair{"10 %", 0.1}, {"15 %", 0.15}}) {
    rows.push_back(our_row(fmt::format("within {}, {}", name, of), share_within(errors, bound), AxisUnit::kShare));
  }
}

ExhibitResult predictions(PaperContext& context) {
  const BladeStudy study(context);
  const Errors errors = errors_of(study);
  ExhibitResult result;
  result.rows = {number_row("points", 425, static_cast<double>(errors.all.size()), AxisUnit::kNumber),
                 number_row("within 10 %", 0.94, share_within(errors.all, 0.1), AxisUnit::kShare, 0.005),
                 number_row("within 15 %", 1, share_within(errors.all, 0.15), AxisUnit::kShare, 0.005),
                 claim_row("correlation of predicted and simulated times", "> 0.98", correlation(study),
                           AxisUnit::kNumber, correlation(study) > 0.98)};
  add_shares("without barriers for p that are no powers of two", errors.of_powers, result.rows);
  add_shares(fmt::format("the {} points of this figure's collectives", errors.of_data.size()), errors.of_data,
             result.rows);
  add_shares("the same with the misprints righted", errors.of_data_righted, result.rows);
  add_shares("all points with the misprints righted", errors.righted, result.rows);
  add_shares("all points by the evaluator", errors.evaluator, result.rows);
  add_shares(fmt::format("the {} barriers by the evaluator timeline", errors.timeline.size()), errors.timeline,
             result.rows);
  for (const std::string& series : study.series()) {
    result.rows.push_back(worst_row(study, series));
  }
  result.charts = charts_of(study);
  result.why = fmt::format(
      "The paper does not list its 425 points. Ours: barriers for p = 2 to 16; every algorithm of Tables 2-5 "
      "on one chip (8 SPEs) and two (16), every hybrid x-y, 64 bytes to 32 KB by doubling. {} more were left out since "
      "their buffers do not fit into a local store. Two misprints matter here: two L(1) a round of the all-reduction "
      "by recursive doubling, and one L_2(1) of barriers that cross twice. Of barriers for other p than powers of two "
      "the table's chains of signals are longer than any that ranks wait for; the timeline follows these chains.",
      study.left_out());
  return result;
}

}  // namespace

Exhibits figure_10() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "10",
           .caption = "predictions of Tables 1-5 and their errors",
           .where = {"src/papers/ali/blade_points.cpp#study_points", "src/papers/ali/blade_study.cpp#predicted",
                     "src/blade/transport/collective.cpp#run_collective"},
           .source = ExhibitSource::kSimulated,
           .duration = 30,
           .compute = predictions}};
}

}  // namespace postage::ali_paper
