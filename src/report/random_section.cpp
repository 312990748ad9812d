#include "report/accuracy_tables.hpp"

#include <postage/base/error.hpp>
#include <postage/validate/random_suite.hpp>

#include <fmt/format.h>

#include <functional>
#include <map>

namespace postage {
namespace {

constexpr const char* kSectionBegin = "<!-- random platforms -->\n";
constexpr const char* kSectionEnd = "<!-- end of random platforms -->\n";

using NameOf = std::function<std::string(const AccuracyPoint&)>;
using PointsByName = std::map<std::string, std::vector<AccuracyPoint>>;

std::string percent_of(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

PointsByName points_by(std::span<const AccuracyPoint> points, const NameOf& name_of_point) {
  PointsByName all;
  for (const AccuracyPoint& point : points) {
    all[name_of_point(point)].push_back(point);
  }
  return all;
}

constexpr const char* kRandomColumns =
    "points | median | 95 % | worst | bias | choices | regret: median | 95 % | worst | without interval | in the "
    "95 % interval | width of intervals |\n";
constexpr const char* kRandomRule = "---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

std::string random_row(const std::string& name, std::span<const AccuracyPoint> points, const std::string& model) {
  const Accuracy a = accuracy_of(points, model);
  const Coverage coverage = coverage_of(points, model);
  return fmt::format("| {} | {} | {} | {} | {} | {:+.2f} % | {} | {} | {} | {} | {} | {} | {} |\n", name,
                     a.errors.count, percent_of(a.errors.median), percent_of(a.errors.percentile95),
                     percent_of(a.errors.maximum), 100 * a.errors.bias, a.choices, percent_of(a.median_regret),
                     percent_of(a.percentile95_regret), percent_of(a.maximum_regret), a.errors.count - coverage.points,
                     percent_of(coverage.share), percent_of(coverage.median_half_width));
}

std::string table_by(const char* what, const AccuracyReport& report, const NameOf& name_of_point) {
  std::string text = fmt::format("| {} | {}|---|{}", what, kRandomColumns, kRandomRule);
  for (const auto& [name, points] : points_by(report.points, name_of_point)) {
    text += random_row(name, points, kDefaultModel);
  }
  return text + "\n";
}

std::string table_of_models(const AccuracyReport& report) {
  std::string text = fmt::format("| model | {}|---|{}", kRandomColumns, kRandomRule);
  text += random_row("**default**", report.points, kDefaultModel);
  for (const std::string& model : models_of(report.points)) {
    if (model != kDefaultModel) {
      text += random_row(fmt::format("`{}`", model), report.points, model);
    }
  }
  return text + "\n";
}

/// The model with the least median error on the points, beside the default.
std::pair<std::string, double> best_of(std::span<const AccuracyPoint> points) {
  std::pair<std::string, double> best{kDefaultModel, accuracy_of(points, kDefaultModel).errors.median};
  for (const std::string& model : models_of(points)) {
    const double error = accuracy_of(points, model).errors.median;
    if (error < best.second) {
      best = {model, error};
    }
  }
  return best;
}

std::string table_of_platforms(const AccuracyReport& report) {
  std::string text = fmt::format("| platform | {} best: median | what it is |\n|---|{}---:|---|\n",
                                 std::string(kRandomColumns).substr(0, std::string(kRandomColumns).size() - 1),
                                 std::string(kRandomRule).substr(0, std::string(kRandomRule).size() - 1));
  for (const auto& [name, title] : report.platforms) {
    const auto some = selected(report.points, [&](const AccuracyPoint& p) { return p.platform == name; });
    const auto [best, error] = best_of(some);
    std::string row = random_row(name, some, kDefaultModel);
    row.pop_back();
    text += fmt::format("{} {}{} | {} |\n", row, percent_of(error),
                        best == kDefaultModel ? "" : fmt::format(" (`{}`)", best), title);
  }
  return text + "\n";
}

}  // namespace

std::string random_section(const AccuracyReport& report) {
  std::string text = kSectionBegin;
  text += fmt::format(
      "Written by `{}`. Each platform is drawn from its seed and measured as `postage measure --virtual seed:N` does; "
      "the points are collectives on all of its ranks, every algorithm of some collectives, sizes (64, 1K, 8K, 64K, "
      "1M, "
      "and at and beside each threshold) and roots (three), all of the same weight. Noisy platforms are held to "
      "medians "
      "of up to 20 runs. *Default* is the model that the platform's own held-out collectives chose, with intervals "
      "from "
      "those that did not choose.\n\n",
      report.command);
  text += table_of_models(report);
  text += table_by("family", report, [](const AccuracyPoint& point) { return std::string(family_of(point)); });
  text += table_by("collective", report, [](const AccuracyPoint& point) { return point.collective; });
  text += table_of_platforms(report);
  for (const std::string& reason : report.left_out) {
    text += fmt::format("Left out: {}\n\n", reason);
  }
  return text + kSectionEnd;
}

std::string section_in(const std::string& page) {
  const std::size_t begin = page.find(kSectionBegin);
  const std::size_t end = page.find(kSectionEnd);
  return begin == std::string::npos || end == std::string::npos || end < begin
             ? ""
             : page.substr(begin, end + std::string(kSectionEnd).size() - begin);
}

std::string section_with_remarks_in(const std::string& page) {
  const std::string section = section_in(page);
  if (section.empty()) {
    return "";
  }
  const std::size_t begin = page.find(section);
  const std::size_t next = page.find("\n## ", begin + section.size() - 1);
  return next == std::string::npos ? section : page.substr(begin, next - begin);
}

std::string with_section(std::string page, const std::string& section) {
  const std::string old = section_in(page);
  if (old.empty()) {
    throw Error(fmt::format("the page has no place for the section: it needs the lines '{}' and '{}'",
                            std::string(kSectionBegin).substr(0, std::string(kSectionBegin).size() - 1),
                            std::string(kSectionEnd).substr(0, std::string(kSectionEnd).size() - 1)));
  }
  return page.replace(page.find(old), old.size(), section);
}

std::string empty_section() {
  return std::string(kSectionBegin) +
         "Not run yet: `postage validate --suite random --seeds 1000:1039 --into docs/accuracy.md` writes this "
         "section; "
         "[unseen-networks.md](unseen-networks.md) has the development seeds.\n" +
         kSectionEnd;
}

}  // namespace postage
