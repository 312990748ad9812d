#include "papers/ali/blade_study.hpp"
#include "papers/ali/missing_terms.hpp"
#include "papers/builtin_papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage::ali_paper {
namespace {

/// The point with the largest error of those on one chip, or on two.
std::size_t worst_of(const BladeStudy& study, const std::vector<std::size_t>& points, bool one_chip) {
  std::size_t worst = points.front();
  double largest = -1;
  for (const std::size_t point : points) {
    if ((study.points()[point].ranks <= kSpesOfChip) == one_chip && std::abs(study.error(point)) > largest) {
      largest = std::abs(study.error(point));
      worst = point;
    }
  }
  return worst;
}

DrawnCurve drawn(const BladeStudy& study, const std::vector<std::size_t>& points, bool predicted) {
  DrawnCurve curve{.label = predicted ? "Table 1" : "simulated", .dots = !predicted};
  for (const std::size_t point : points) {
    curve.x.push_back(study.points()[point].ranks);
    curve.y.push_back(predicted ? study.predicted(point) : study.simulated(point));
  }
  return curve;
}

PaperChart chart_of(const BladeStudy& study, const std::string& series, const std::vector<std::size_t>& points) {
  std::string name = series.substr(series.find(' ') + 1);
  std::replace(name.begin(), name.end(), ' ', '-');
  return {.name = std::move(name),
          .title = series,
          .curves = {drawn(study, points, true), drawn(study, points, false)},
          .x = {"SPEs", AxisUnit::kNumber, false},
          .y = {"", AxisUnit::kSeconds, false}};
}

ExhibitResult barriers(PaperContext& context) {
  const BladeStudy study(context);
  ExhibitResult result;
  for (const std::string& series : study.series()) {
    if (!series.starts_with("barrier")) {
      continue;
    }
    const std::vector<std::size_t> points = study.points_of(series);
    for (const bool one_chip : {true, false}) {
      const std::size_t worst = worst_of(study, points, one_chip);
      const double error = study.error(worst);
      PaperRow row = claim_row(fmt::format("{}, {}, largest error (p = {})", series,
                                           one_chip ? "one chip" : "two chips", study.points()[worst].ranks),
                               "within 15 %", error, AxisUnit::kShare, std::abs(error) <= 0.15);
      if (std::abs(error) > 0.05) {
        row.note = missing_term(study.points()[worst]);
      }
      result.rows.push_back(std::move(row));
    }
    result.charts.push_back(chart_of(study, series, points));
  }
  result.why =
      "Predicted by Table 1 from the micro-benchmarks' parameters, relative to the simulated time, p = 2 to 16.";
  return result;
}

}  // namespace

Exhibits figure_9() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "9",
           .caption = "barriers, predicted and simulated",
           .where = {"src/papers/ali/blade_study.cpp#predicted", "src/blade/transport/collective.cpp#run_collective"},
           .source = ExhibitSource::kSimulated,
           .duration = 15,
           .compute = barriers}};
}

}  // namespace postage::ali_paper
