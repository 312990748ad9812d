#include "cli/suite.hpp"

#include "cli/options/remark.hpp"
#include "cli/table.hpp"

#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/report/accuracy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace postage {
namespace {

std::vector<AccuracyPoint> of_platform(const std::vector<AccuracyPoint>& points, const std::string& platform) {
  std::vector<AccuracyPoint> some;
  std::copy_if(points.begin(), points.end(), std::back_inserter(some),
               [&](const AccuracyPoint& point) { return point.platform == platform; });
  return some;
}

void print_accuracy(const AccuracyReport& report) {
  using Align = Table::Align;
  Table table({{"platform"},
               {"model"},
               {"points", Align::kRight},
               {"median", Align::kRight},
               {"95 %", Align::kRight},
               {"worst", Align::kRight},
               {"within 10 %", Align::kRight},
               {"bias", Align::kRight},
               {"choices", Align::kRight},
               {"regret", Align::kRight},
               {"95 %", Align::kRight},
               {"worst", Align::kRight}});
  const auto add = [&](const std::string& platform, const std::vector<AccuracyPoint>& some) {
    for (const std::string& model : models_of(some)) {
      const Accuracy a = accuracy_of(some, model);
      table.add_row({platform, model, std::to_string(a.errors.count), percent(a.errors.median, 2),
                     percent(a.errors.percentile95, 2), percent(a.errors.maximum, 2), percent(a.errors.within_tenth, 2),
                     fmt::format("{:+.2f} %", 100 * a.errors.bias), std::to_string(a.choices),
                     percent(a.median_regret, 2), percent(a.percentile95_regret, 2), percent(a.maximum_regret, 2)});
    }
  };
  for (const auto& [name, title] : report.platforms) {
    add(name, of_platform(report.points, name));
  }
  add("all", report.points);
  fmt::print("{}", table.render(output_width()));
  for (const std::string& sentence : report.left_out) {
    fmt::print("left out: {}\n", sentence);
  }
}

/// With the section of random platforms that the page has, and what was written below it.
void write_page(const AccuracyReport& report, const std::filesystem::path& folder) {
  const std::filesystem::path page = folder / "accuracy.md";
  const std::string known = std::filesystem::exists(page) ? section_with_remarks_in(read_file(page)) : "";
  write_file(page, accuracy_page(report, known.empty() ? empty_section() : known));
  write_file(folder / "images" / "accuracy-errors.svg", error_distribution_svg(report.points));
  write_file(folder / "images" / "accuracy-scatter.svg", scatter_svg(report.points, report.best_model));
}

}  // namespace

void run_suite(const SuiteOptions& options) {
  const AccuracyReport report =
      run_accuracy_suite({.scale = options.scale,
                          .platforms = options.platforms,
                          .output = options.output,
                          .keep = options.keep,
                          .earlier = options.earlier,
                          .tell = [](const std::string& sentence) { print_remark("postage: {}\n", sentence); }});
  if (!options.page.empty()) {
    write_page(report, options.page);
  }
  if (options.json) {
    fmt::print("{}\n", to_json(report).dump(1));
    return;
  }
  print_accuracy(report);
  fmt::print("wrote {}\n", options.output);
}

}  // namespace postage
