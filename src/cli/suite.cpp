#include "cli/suite.hpp"

#include "cli/suite_runs.hpp"
#include "cli/table.hpp"

#include <postage/base/files.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace postage {
namespace {

/// Of points whose times depend on when exactly ranks start.
constexpr int kRepetitions = 7;

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

std::vector<AccuracyPoint> of_platform(const std::vector<AccuracyPoint>& points, const std::string& platform) {
  std::vector<AccuracyPoint> some;
  for (const AccuracyPoint& point : points) {
    if (point.platform == platform) {
      some.push_back(point);
    }
  }
  return some;
}

std::vector<std::string> platforms_of(const std::vector<AccuracyPoint>& points) {
  std::vector<std::string> names;
  for (const AccuracyPoint& point : points) {
    if (names.empty() || names.back() != point.platform) {
      names.push_back(point.platform);
    }
  }
  return names;
}

void print_accuracy(const std::vector<AccuracyPoint>& points) {
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
      table.add_row({platform, model, std::to_string(a.points), percent(a.median), percent(a.percentile95),
                     percent(a.maximum), percent(a.within_tenth), fmt::format("{:+.2f} %", 100 * a.bias),
                     std::to_string(a.choices), percent(a.median_regret), percent(a.percentile95_regret),
                     percent(a.maximum_regret)});
    }
  };
  for (const std::string& platform : platforms_of(points)) {
    add(platform, of_platform(points, platform));
  }
  add("all", points);
  fmt::print("{}", table.render(output_width()));
}

void keep_inputs(const SuiteRun& run, const Platform& platform, const std::filesystem::path& folder) {
  const std::filesystem::path own = folder / fmt::format("{}-{}", run.platform, name_of(run.placement));
  static_cast<void>(files_of(run, own));
  write_platform(own / "platform.json", platform);
  write_file(own / "points", format_batch(run.points));
}

}  // namespace

void run_suite(const SuiteOptions& options) {
  std::vector<AccuracyPoint> points;
  Platform platform;
  for (const SuiteRun& run : suite_runs(options.platforms, options.scale)) {
    if (platform.name != run.platform) {
      platform = calibrate(run);
    }
    if (!options.keep.empty()) {
      keep_inputs(run, platform, options.keep);
    }
    const std::vector<AccuracyPoint> more = predict_run(run, platform, simulate(run, kRepetitions));
    points.insert(points.end(), more.begin(), more.end());
  }
  nlohmann::json json = nlohmann::json::array();
  for (const AccuracyPoint& point : points) {
    json.push_back(to_json(point));
  }
  write_json(options.output, json);
  print_accuracy(points);
}

}  // namespace postage
