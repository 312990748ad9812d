#include "papers/ali/blade_study.hpp"
#include "papers/builtin_papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage::ali_paper {
namespace {

/// Of the points with data whose prediction the parameters change, that with the largest error.
std::size_t worst_of(const BladeStudy& study, Parameters parameters) {
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < study.points().size(); ++i) {
    const double error = std::abs(study.error(i, parameters));
    const bool has_data = study.points()[i].bytes > 0;
    if (has_data && study.predicted(i, parameters) != study.predicted(i) && error > largest) {
      largest = error;
      worst = i;
    }
  }
  return worst;
}

PaperRow worst_row(const BladeStudy& study, const std::string& what, double printed, Parameters parameters) {
  const std::size_t worst = worst_of(study, parameters);
  const StudyPoint& point = study.points()[worst];
  PaperRow row = number_row(what, printed, std::abs(study.error(worst, parameters)), AxisUnit::kShare, 0.005);
  row.note = fmt::format("{}, {}; {} with the paper's parameters", point.series, format_bytes(point.bytes),
                         format_value(study.error(worst), AxisUnit::kShare));
  return row;
}

DrawnCurve errors_by_size(const BladeStudy& study, const std::string& series, Parameters parameters) {
  DrawnCurve curve{.label = series.substr(0, series.find(','))};
  for (const std::size_t point : study.points_of(series)) {
    curve.x.push_back(static_cast<double>(study.points()[point].bytes));
    curve.y.push_back(std::abs(study.error(point, parameters)));
  }
  return curve;
}

PaperChart chart_of(const BladeStudy& study, const char* name, const char* title, Parameters parameters,
                    const std::vector<std::string>& all_series) {
  PaperChart chart{.name = name, .title = title, .curves = {}, .y = {"|error|", AxisUnit::kShare, false}};
  for (const std::string& series : all_series) {
    chart.curves.push_back(errors_by_size(study, series, parameters));
  }
  return chart;
}

double smallest_error(const BladeStudy& study, Parameters parameters) {
  double smallest = 1;
  for (std::size_t i = 0; i < study.points().size(); ++i) {
    if (study.predicted(i, parameters) != study.predicted(i)) {
      smallest = std::min(smallest, std::abs(study.error(i, parameters)));
    }
  }
  return smallest;
}

ExhibitResult generic_models(PaperContext& context) {
  const BladeStudy study(context);
  const double smallest =
      std::min(smallest_error(study, Parameters::kKielmannGap), smallest_error(study, Parameters::kNoCongestion));
  ExhibitResult result;
  result.rows = {worst_row(study, "largest error with Kielmann's gap", 1.4, Parameters::kKielmannGap),
                 worst_row(study, "largest error without congestion", 0.56, Parameters::kNoCongestion),
                 claim_row("smallest error of the same predictions", "below 1 % for some", smallest, AxisUnit::kShare,
                           smallest < 0.01)};
  result.why =
      "Kielmann's g(m) = RTT(m) - RTT(0) + g(0) has the latency of a whole get in it, which gets at the same time do "
      "not add to each other. Without C the last round of a butterfly across the chips costs what two messages do.";
  result.charts = {chart_of(study, "gap", "Errors with Kielmann's gap, one chip", Parameters::kKielmannGap,
                            {"broadcast one-to-all, one chip", "broadcast binomial-simple, one chip"}),
                   chart_of(study, "congestion", "Errors without congestion, two chips", Parameters::kNoCongestion,
                            {"all-gather recursive doubling, two chips", "all-reduce recursive doubling, two chips",
                             "broadcast segmented-binomial, two chips", "all-gather hybrid-2-8, two chips"})};
  return result;
}

}  // namespace

Exhibits figure_11() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "11",
           .caption = "errors of models that are not made for the Cell",
           .where = {"src/blade/benchmarks/gaps.cpp#gap_by_roundtrips", "src/papers/ali/blade_study.cpp#variants"},
           .source = ExhibitSource::kSimulated,
           .duration = 30,
           .compute = generic_models}};
}

}  // namespace postage::ali_paper
