#include "cli/options/remark.hpp"
#include "cli/suite.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/report/accuracy.hpp>
#include <postage/validate/random_suite.hpp>

#include <fmt/format.h>

#include <functional>
#include <map>

namespace postage {
namespace {

using PointsByName = std::map<std::string, std::vector<AccuracyPoint>>;
using NameOf = std::function<std::string(const AccuracyPoint&)>;

PointsByName points_by(const std::vector<AccuracyPoint>& points, const NameOf& name_of_point) {
  PointsByName all;
  for (const AccuracyPoint& point : points) {
    all[name_of_point(point)].push_back(point);
  }
  return all;
}

/// Accuracies of models on points, a row each.
class RandomTable {
 public:
  explicit RandomTable(const char* what)
      : table_({{what},
                {"model"},
                {"points", Table::Align::kRight},
                {"median", Table::Align::kRight},
                {"95 %", Table::Align::kRight},
                {"worst", Table::Align::kRight},
                {"bias", Table::Align::kRight},
                {"choices", Table::Align::kRight},
                {"regret", Table::Align::kRight},
                {"95 %", Table::Align::kRight},
                {"worst", Table::Align::kRight},
                {"in interval", Table::Align::kRight},
                {"width", Table::Align::kRight}}) {}

  void add(const std::string& name, const std::vector<AccuracyPoint>& points, const std::string& model) {
    const Accuracy a = accuracy_of(points, model);
    const Coverage coverage = coverage_of(points, model);
    table_.add_row({name, model, std::to_string(a.errors.count), percent(a.errors.median, 2),
                    percent(a.errors.percentile95, 2), percent(a.errors.maximum, 2),
                    fmt::format("{:+.2f} %", 100 * a.errors.bias), std::to_string(a.choices),
                    percent(a.median_regret, 2), percent(a.percentile95_regret, 2), percent(a.maximum_regret, 2),
                    coverage.points == 0 ? "-" : percent(coverage.share, 2), percent(coverage.median_half_width, 2)});
  }

  void print() { fmt::print("{}\n", table_.render(output_width())); }

 private:
  Table table_;
};

void print_by(const char* what, const AccuracyReport& report, const NameOf& name_of_point) {
  RandomTable table(what);
  for (const auto& [name, points] : points_by(report.points, name_of_point)) {
    table.add(name, points, report.best_model);
  }
  table.print();
}

void print_random(const AccuracyReport& report) {
  RandomTable all("platforms");
  for (const std::string& model : models_of(report.points)) {
    all.add("all", report.points, model);
  }
  all.print();
  print_by("family", report, [](const AccuracyPoint& point) { return std::string(family_of(point)); });
  print_by("collective", report, [](const AccuracyPoint& point) { return point.collective; });
  print_by("platform", report, [](const AccuracyPoint& point) { return point.platform; });
  for (const auto& [name, title] : report.platforms) {
    fmt::print("{}: {}\n", name, title);
  }
}

}  // namespace

void run_random_suite(const RandomSuiteOptions& options) {
  if (options.seeds.empty()) {
    throw UsageError("--suite random needs --seeds FIRST:LAST, like 1:12");
  }
  if (!options.into.empty()) {
    static_cast<void>(with_section(read_file(options.into), ""));  // throws before minutes of work, not after
  }
  const AccuracyReport report =
      run_random_suite({.seeds = parse_seeds(options.seeds),
                        .points = static_cast<std::size_t>(options.points),
                        .output = options.output,
                        .earlier = options.earlier,
                        .keep = options.keep,
                        .tell = [](const std::string& sentence) { print_remark("postage: {}\n", sentence); }});
  if (!options.into.empty()) {
    write_file(options.into, with_section(read_file(options.into), random_section(report)));
  }
  if (options.json) {
    fmt::print("{}\n", to_json(report).dump(1));
    return;
  }
  print_random(report);
  fmt::print("wrote {}\n", options.output);
}

}  // namespace postage
