#include "report/accuracy_tables.hpp"

#include <postage/base/statistics.hpp>
#include <postage/base/units.hpp>
#include <postage/validate/random_suite.hpp>

#include <fmt/format.h>

#include <cmath>

namespace postage {
namespace {

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

constexpr const char* kAccuracyHead =
    "points | median | 95 % | worst | within 10 % | bias | choices | regret: median | 95 % | worst | best picked |\n";
constexpr const char* kAccuracyRule = "---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

std::string row_of(const std::string& first, const Accuracy& a) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {:+.2f} % | {} | {} | {} | {} | {:.1f} % |\n", first,
                     a.errors.count, percent(a.errors.median), percent(a.errors.percentile95),
                     percent(a.errors.maximum), percent(a.errors.within_tenth), 100 * a.errors.bias, a.choices,
                     percent(a.median_regret), percent(a.percentile95_regret), percent(a.maximum_regret),
                     100 * a.picked_best);
}

}  // namespace

std::string by_model(std::span<const AccuracyPoint> points) {
  std::string text = fmt::format("| model | {}|---|{}", kAccuracyHead, kAccuracyRule);
  for (const std::string& model : models_of(points)) {
    text += row_of(fmt::format("`{}`", model), accuracy_of(points, model));
  }
  return text;
}

std::string by_platform(const AccuracyReport& report, const std::string& model) {
  std::string text = fmt::format("| platform | {}|---|{}", kAccuracyHead, kAccuracyRule);
  for (const auto& [name, title] : report.platforms) {
    const auto some = selected(report.points, [&](const AccuracyPoint& p) { return p.platform == name; });
    if (!some.empty()) {
      text += row_of(name, accuracy_of(some, model));
    }
  }
  return text;
}

std::string by_collective(const AccuracyReport& report, const std::string& model) {
  std::string text = fmt::format("| collective | {}|---|{}", kAccuracyHead, kAccuracyRule);
  std::vector<std::string> names;
  for (const AccuracyPoint& point : report.points) {
    if (std::find(names.begin(), names.end(), point.collective) == names.end()) {
      names.push_back(point.collective);
    }
  }
  for (const std::string& name : names) {
    const auto some = selected(report.points, [&](const AccuracyPoint& p) { return p.collective == name; });
    text += row_of(name, accuracy_of(some, model));
  }
  return text;
}

std::string worst_points(const AccuracyReport& report, const std::string& model, std::size_t count) {
  std::vector<const AccuracyPoint*> list;
  for (const AccuracyPoint& point : report.points) {
    if (point.predicted.count(model) > 0) {
      list.push_back(&point);
    }
  }
  const std::size_t shown = std::min(count, list.size());
  std::partial_sort(
      list.begin(), list.begin() + static_cast<std::ptrdiff_t>(shown), list.end(),
      [&](const auto* a, const auto* b) { return std::abs(a->error(model)) > std::abs(b->error(model)); });
  std::string text =
      "| platform | ranks on nodes | collective | P | size | segment | measured | predicted | error |\n"
      "|---|---|---|---:|---:|---:|---:|---:|---:|\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const AccuracyPoint& p = *list[i];
    text +=
        fmt::format("| {} | {} | {} {} | {} | {} | {} | {} | {} | {:+.1f} % |\n", p.platform, p.placement, p.collective,
                    p.algorithm, p.ranks, format_bytes(p.bytes), p.segment > 0 ? format_bytes(p.segment) : "-",
                    format_seconds(p.measured), format_seconds(p.predicted.at(model)), 100 * p.error(model));
  }
  return text;
}

std::string library_table(const AccuracyReport& report) {
  struct Row {
    std::string name;
    std::vector<double> ours;
    std::vector<double> model;
  };
  std::vector<Row> rows;
  for (const LibraryPoint& point : report.library_points) {
    const std::string name =
        fmt::format("{} {} | {}", point.ours.collective, point.ours.algorithm, point.library_algorithm);
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
    if (row == rows.end()) {
      row = rows.insert(rows.end(), {name, {}, {}});
    }
    row->ours.push_back(std::abs(point.ours.measured / point.library - 1));
    row->model.push_back(std::abs(point.ours.predicted.at(report.best_model) / point.library - 1));
  }
  std::string text = fmt::format(
      "| ours | SMPI's | points | ours from SMPI's: median | worst | {} from SMPI's: median | worst |\n"
      "|---|---|---:|---:|---:|---:|---:|\n",
      report.best_model);
  for (const Row& row : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.name, row.ours.size(), percent(median(row.ours)),
                        percent(quantile(row.ours, 1)), percent(median(row.model)), percent(quantile(row.model, 1)));
  }
  return text;
}

std::string scatter_table(const AccuracyReport& report) {
  std::string text =
      "| platform | points | that differ by more than 1 % | median of these | 95 % | worst |\n"
      "|---|---:|---:|---:|---:|---:|\n";
  for (const auto& [name, title] : report.platforms) {
    std::size_t count = 0;
    std::vector<double> wide;
    for (const AccuracyPoint& point : report.points) {
      count += point.platform == name ? 1 : 0;
      if (point.platform == name && point.scatter > 0.01) {
        wide.push_back(point.scatter);
      }
    }
    text += wide.empty()
                ? fmt::format("| {} | {} | 0 | - | - | - |\n", name, count)
                : fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, count, wide.size(), percent(median(wide)),
                              percent(quantile(wide, 0.95)), percent(quantile(wide, 1)));
  }
  return text;
}

std::string real_noise_table(const AccuracyReport& report) {
  std::string text = fmt::format(
      "| platform | points | width of the interval: median | 95 % | re-measurement: median error | 95 % | within 10 % "
      "| "
      "`{0}`: median error | within 10 % | its 95 % interval holds | in the interval of the median |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
      report.best_model);
  for (const auto& [name, title] : report.platforms) {
    std::vector<double> widths;
    std::vector<double> again;
    std::vector<double> errors;
    double inside = 0;
    for (const AccuracyPoint& point : report.points) {
      if (point.platform == name && point.noise && point.predicted.count(report.best_model) > 0) {
        widths.push_back((point.noise->interval.upper - point.noise->interval.lower) / point.measured);
        again.push_back(point.noise->repeated);
        errors.push_back(point.error(report.best_model));
        inside += point.noise->interval.contains(point.predicted.at(report.best_model)) ? 1 : 0;
      }
    }
    if (!errors.empty()) {
      const ErrorStatistics repeated = error_statistics(again);
      const ErrorStatistics model = error_statistics(errors);
      const auto own = selected(report.points, [&](const AccuracyPoint& p) { return p.platform == name; });
      const Coverage coverage = coverage_of(own, report.best_model);
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, errors.size(),
                          percent(median(widths)), percent(quantile(widths, 0.95)), percent(repeated.median),
                          percent(repeated.percentile95), percent(repeated.within_tenth), percent(model.median),
                          percent(model.within_tenth), coverage.points == 0 ? "-" : percent(coverage.share),
                          percent(inside / static_cast<double>(errors.size())));
    }
  }
  return text;
}

}  // namespace postage
