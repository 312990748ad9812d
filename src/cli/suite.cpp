#include "cli/suite.hpp"

#include "cli/suite_real.hpp"
#include "cli/suite_runs.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/report/accuracy.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <future>

namespace postage {
namespace {

/// Of points whose times depend on when exactly ranks start.
constexpr int kRepetitions = 7;

/// Where SMPI's own collectives are run beside ours.
constexpr const char* kLibraryPlatform = "cluster64";
/// SMPI's implementations choose segments and orders of their own: three sizes are enough to tell.
constexpr std::size_t kMostLibraryPoints = 12;

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

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
      table.add_row({platform, model, std::to_string(a.points), percent(a.median), percent(a.percentile95),
                     percent(a.maximum), percent(a.within_tenth), fmt::format("{:+.2f} %", 100 * a.bias),
                     std::to_string(a.choices), percent(a.median_regret), percent(a.percentile95_regret),
                     percent(a.maximum_regret)});
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

void keep_inputs(const SuiteRun& run, const Platform& platform, const std::filesystem::path& folder) {
  const std::filesystem::path own = folder / fmt::format("{}-{}", run.platform, name_of(run.placement));
  static_cast<void>(files_of(run, own));
  write_platform(own / "platform.json", platform);
  write_file(own / "points", format_batch(run.points));
}

/// Our times and predictions beside those of SMPI's implementation of each algorithm that has one; whole messages from
/// the root that both have.
void add_library_points(SuiteRun run, const std::vector<AccuracyPoint>& points, AccuracyReport& report) {
  const std::vector<BatchPoint> all = run.points;
  for (const Algorithm& algorithm : algorithms()) {
    const std::string library(algorithm.counterparts.smpi);
    std::vector<AccuracyPoint> ours;
    run.points.clear();
    for (std::size_t i = 0; i < all.size() && run.points.size() < kMostLibraryPoints; ++i) {
      if (all[i].run.collective == algorithm.collective && all[i].run.algorithm == algorithm.name &&
          all[i].run.segment_bytes == 0) {
        run.points.push_back(all[i]);
        ours.push_back(points[i]);
      }
    }
    if (library.empty() || run.points.empty()) {
      continue;
    }
    const std::string collective(name_of(algorithm.collective));
    try {
      const auto times = simulate_library(run, collective, library, 1);
      for (std::size_t i = 0; i < times.size(); ++i) {
        report.library_points.push_back({ours[i], library, times[i].front()});
      }
    } catch (const Error& failure) {
      report.left_out.push_back(fmt::format("SMPI's {} {}: {}", collective, library, failure.what()));
    }
  }
}

/// Calibrates, simulates and predicts; the next run is simulated while one is predicted.
void add_virtual(const SuiteOptions& options, AccuracyReport& report) {
  Platform platform;
  std::future<std::vector<AccuracyPoint>> predicted;
  const auto take = [&] {
    if (predicted.valid()) {
      const std::vector<AccuracyPoint> more = predicted.get();
      report.points.insert(report.points.end(), more.begin(), more.end());
    }
  };
  for (const SuiteRun& run : suite_runs(options.platforms, options.scale)) {
    if (platform.name != run.platform) {
      platform = calibrate(run);
      report.platforms.emplace_back(run.platform, run.title);
    }
    if (!options.keep.empty()) {
      keep_inputs(run, platform, options.keep);
    }
    const auto times = simulate(run, kRepetitions);
    take();
    predicted = std::async(std::launch::async, [run, platform, times] { return predict_run(run, platform, times); });
    if (options.scale == SuiteScale::kFull && run.platform == kLibraryPlatform) {
      const std::vector<AccuracyPoint> points = predicted.get();
      report.points.insert(report.points.end(), points.begin(), points.end());
      add_library_points(run, points, report);
    }
  }
  take();
}

bool is_there(const AccuracyReport& report, const std::string& platform) {
  return std::any_of(report.platforms.begin(), report.platforms.end(),
                     [&](const auto& known) { return known.first == platform; });
}

void add_real(const SuiteOptions& options, AccuracyReport& report) {
  for (const RealPlatform& platform : real_platforms()) {
    const auto& names = options.platforms;
    const bool asked = std::find(names.begin(), names.end(), platform.name) != names.end();
    const bool wanted = asked || (names.empty() && options.scale == SuiteScale::kFull);
    if (!wanted || is_there(report, platform.name)) {
      continue;
    }
    try {
      const std::vector<AccuracyPoint> more = run_real(platform);
      report.points.insert(report.points.end(), more.begin(), more.end());
      report.platforms.emplace_back(platform.name, platform.title);
    } catch (const Error& reason) {
      report.left_out.push_back(fmt::format("{}: {}", platform.name, reason.what()));
    }
  }
}

void write_page(const AccuracyReport& report, const std::filesystem::path& folder) {
  write_file(folder / "accuracy.md", accuracy_page(report));
  write_file(folder / "images" / "accuracy-errors.svg", error_distribution_svg(report.points));
  write_file(folder / "images" / "accuracy-scatter.svg", scatter_svg(report.points, report.best_model));
}

/// Earlier results, one after the other.
AccuracyReport read_earlier(const std::vector<std::string>& files) {
  AccuracyReport all;
  for (const std::string& file : files) {
    AccuracyReport one = accuracy_from_json(read_json(file), file);
    for (const auto& [name, title] : one.platforms) {
      if (is_there(all, name)) {
        throw UsageError(fmt::format("{} tells of {} again; give each platform's results once", file, name));
      }
    }
    const auto append = [](auto& list, auto& more) { list.insert(list.end(), more.begin(), more.end()); };
    append(all.platforms, one.platforms);
    append(all.points, one.points);
    append(all.library_points, one.library_points);
    append(all.left_out, one.left_out);
  }
  return all;
}

/// Simulated platforms that are asked for and not there yet.
std::vector<std::string> missing_virtual(const SuiteOptions& options, const AccuracyReport& report) {
  std::vector<std::string> names = options.platforms;
  for (const RealPlatform& platform : real_platforms()) {
    names.erase(std::remove(names.begin(), names.end(), platform.name), names.end());
  }
  if (options.platforms.empty()) {
    for (const SuiteRun& run : suite_runs({}, options.scale)) {
      names.push_back(run.platform);
    }
  }
  const auto is_known = [&](const std::string& name) { return is_there(report, name); };
  names.erase(std::remove_if(names.begin(), names.end(), is_known), names.end());
  return names;
}

}  // namespace

void run_suite(const SuiteOptions& options) {
  AccuracyReport report = read_earlier(options.earlier);
  if (options.scale == SuiteScale::kQuick) {
    report.command = "postage validate --suite quick --page docs";
  }
  SuiteOptions simulated = options;
  simulated.platforms = missing_virtual(options, report);
  if (!simulated.platforms.empty()) {
    add_virtual(simulated, report);
  }
  add_real(options, report);
  const nlohmann::json json = to_json(report);
  write_json(options.output, json);
  if (!options.page.empty()) {
    write_page(report, options.page);
  }
  if (options.json) {
    fmt::print("{}\n", json.dump(1));
    return;
  }
  print_accuracy(report);
  fmt::print("wrote {}\n", options.output);
}

}  // namespace postage
