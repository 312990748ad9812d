#include "cli/suite.hpp"

#include "cli/suite_real.hpp"
#include "cli/suite_runs.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/report/accuracy.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <thread>

namespace postage {
namespace {

/// Where SMPI's own collectives are run beside ours: one that shares nothing, one that does.
const std::set<std::string> kLibraryPlatforms{"flat16", "cluster64"};
/// SMPI's implementations choose segments and orders of their own: three sizes are enough to tell.
constexpr std::size_t kMostLibraryPoints = 12;

/// One a core; each may take 2 GiB of memory.
std::size_t simulations_at_once() {
  constexpr std::size_t kMost = 4;
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMost);
}

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
      table.add_row({platform, model, std::to_string(a.errors.count), percent(a.errors.median),
                     percent(a.errors.percentile95), percent(a.errors.maximum), percent(a.errors.within_tenth),
                     fmt::format("{:+.2f} %", 100 * a.errors.bias), std::to_string(a.choices), percent(a.median_regret),
                     percent(a.percentile95_regret), percent(a.maximum_regret)});
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

/// Those points of the run that SMPI has an implementation of this algorithm for: whole messages.
std::vector<std::size_t> points_of(const SuiteRun& run, const Algorithm& algorithm) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < run.points.size() && places.size() < kMostLibraryPoints; ++i) {
    const CollectiveRun& point = run.points[i].run;
    if (point.collective == algorithm.collective && point.algorithm == algorithm.name && point.segment_bytes == 0) {
      places.push_back(i);
    }
  }
  return places;
}

/// What the points take with SMPI's implementation: nothing, and a sentence, for those with which it fails, as linear
/// gathers that synchronise do where messages are awaited.
std::vector<std::optional<double>> library_times(const SuiteRun& run, const Algorithm& algorithm,
                                                 std::vector<std::string>& left_out) {
  const std::string collective(name_of(algorithm.collective));
  const std::string library(algorithm.counterparts.smpi);
  std::vector<std::optional<double>> times;
  try {
    for (const std::vector<double>& list : simulate_library(run, collective, library)) {
      times.emplace_back(list.front());
    }
    return times;
  } catch (const Error& failure) {
    if (run.points.size() == 1) {
      const BatchPoint& point = run.points.front();
      left_out.push_back(fmt::format("SMPI's {} {} of {} with P = {} on {}: {}", collective, library,
                                     format_bytes(point.run.bytes), point.ranks, run.platform, failure.what()));
      return {std::nullopt};
    }
  }
  SuiteRun one = run;
  for (const BatchPoint& point : run.points) {
    one.points = {point};
    times.push_back(library_times(one, algorithm, left_out).front());
  }
  return times;
}

/// Our times and predictions, `points`, beside those of SMPI's implementation of each algorithm that has one.
void add_library_points(const SuiteRun& run, const std::vector<AccuracyPoint>& points, AccuracyReport& report) {
  for (const Algorithm& algorithm : algorithms()) {
    const std::string library(algorithm.counterparts.smpi);
    const std::vector<std::size_t> places = points_of(run, algorithm);
    if (library.empty() || places.empty()) {
      continue;
    }
    SuiteRun some = run;
    some.points.clear();
    for (const std::size_t i : places) {
      some.points.push_back(run.points[i]);
    }
    const auto times = library_times(some, algorithm, report.left_out);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (times[i]) {
        report.library_points.push_back({points[places[i]], library, *times[i]});
      }
    }
  }
}

/// Says on the error output how far the suite is: it takes minutes.
class Clock {
 public:
  [[nodiscard]] Seconds seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  template <typename... Arguments>
  void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    fmt::print(stderr, "postage: {:.0f} s: {}\n", seconds(),
               fmt::format(format, std::forward<Arguments>(arguments)...));
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void append(AccuracyReport& all, AccuracyReport one) {
  const auto move_into = [](auto& list, auto& more) {
    list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  move_into(all.platforms, one.platforms);
  move_into(all.points, one.points);
  move_into(all.library_points, one.library_points);
  move_into(all.left_out, one.left_out);
}

/// Calibrates, simulates and predicts all runs of one platform.
AccuracyReport run_platform(const std::vector<SuiteRun>& runs, const SuiteOptions& options, const Clock& clock) {
  const Platform platform = calibrate(runs.front());
  clock.tell("{} is calibrated", platform.name);
  AccuracyReport report;
  report.platforms.emplace_back(runs.front().platform, runs.front().title);
  const std::string costly = tell_too_costly(runs);
  if (!costly.empty()) {
    report.left_out.push_back(costly);
  }
  const auto predict = [&](const SuiteRun& run, const std::vector<std::vector<double>>& times) {
    AccuracyReport own{.points = predict_run(run, platform, times)};
    clock.tell("{}, {}: predicted", run.platform, name_of(run.placement));
    if (options.scale == SuiteScale::kFull && kLibraryPlatforms.count(run.platform) > 0) {
      add_library_points(run, own.points, own);
      clock.tell("{}: SMPI's own collectives are simulated", run.platform);
    }
    return own;
  };
  std::vector<std::future<AccuracyReport>> predicted;  // each while the next is simulated
  for (const SuiteRun& run : runs) {
    if (!options.keep.empty()) {
      keep_inputs(run, platform, options.keep);
    }
    auto times = simulate(run);
    clock.tell("{}, {}: {} points are simulated", run.platform, name_of(run.placement), run.points.size());
    predicted.push_back(std::async(std::launch::async, predict, std::cref(run), std::move(times)));
  }
  for (std::future<AccuracyReport>& own : predicted) {
    append(report, own.get());
  }
  return report;
}

/// Several platforms at a time, those that take longest first; the report has them in the suite's order. Writes what is
/// there after each, so that a run that is broken off can be continued.
void add_virtual(const SuiteOptions& options, AccuracyReport& report) {
  std::vector<std::vector<SuiteRun>> platforms;
  for (SuiteRun& run : suite_runs(options.platforms, options.scale)) {
    if (platforms.empty() || platforms.back().front().platform != run.platform) {
      platforms.emplace_back();
    }
    platforms.back().push_back(std::move(run));
  }
  std::vector<std::size_t> order(platforms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto cost = [&](std::size_t i) {
    return std::accumulate(platforms[i].begin(), platforms[i].end(), 0.0,
                           [](double sum, const SuiteRun& run) { return sum + simulation_cost(run); });
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });

  const Clock clock;
  std::vector<AccuracyReport> results(platforms.size());
  std::mutex mutex;
  const auto keep = [&](std::size_t place, AccuracyReport result) {
    const std::lock_guard lock(mutex);
    results[place] = std::move(result);
    AccuracyReport all = report;
    for (const AccuracyReport& one : results) {
      append(all, one);
    }
    write_json(options.output, to_json(all));
  };
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < order.size(); i = next++) {
      try {
        keep(order[i], run_platform(platforms[order[i]], options, clock));
      } catch (...) {
        next = order.size();  // the others begin nothing more
        throw;
      }
    }
  };
  const std::size_t workers = std::min({simulations_at_once(), platforms.size()});
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < workers; ++i) {
    others.push_back(std::async(std::launch::async, work));
  }
  work();
  std::for_each(others.begin(), others.end(), [](std::future<void>& other) { other.get(); });
  for (AccuracyReport& result : results) {
    append(report, std::move(result));
  }
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
      const RealResult result = run_real(platform, options.keep);
      report.points.insert(report.points.end(), result.points.begin(), result.points.end());
      if (!result.left_out.empty()) {
        report.left_out.push_back(result.left_out);
      }
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
    append(all, std::move(one));
  }
  return all;
}

/// Throws UsageError for names that no platform of the suite has.
void check_names(const SuiteOptions& options) {
  std::vector<std::string> known;
  for (const SuiteRun& run : suite_runs({}, options.scale)) {
    if (known.empty() || known.back() != run.platform) {  // block and cyclic follow one another
      known.push_back(run.platform);
    }
  }
  for (const RealPlatform& platform : real_platforms()) {
    known.push_back(platform.name);
  }
  for (const std::string& name : options.platforms) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageError(unknown_name("platform of the suite", name, fmt::format("{}", fmt::join(known, ", "))));
    }
  }
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
  check_names(options);
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
  const Json json = to_json(report);
  write_json(options.output, json);
  for (const RealPlatform& platform : real_platforms()) {
    report.real.push_back(platform.name);
  }
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
