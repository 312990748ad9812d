#include "validate/random/kept_seed.hpp"
#include "validate/random/random_points.hpp"
#include "validate/suite/prediction.hpp"
#include "validate/suite/simulation.hpp"

#include <postage/base/at_once.hpp>
#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/launch/measuring.hpp>
#include <postage/launch/random_platform.hpp>
#include <postage/measure/held_out_draw.hpp>
#include <postage/measure/setting_options.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/validate/held_out_accuracy.hpp>
#include <postage/validate/random_suite.hpp>
#include <postage/validate/refinement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <mutex>

namespace postage {
namespace {

/// Times of platforms with noise are medians of so many.
constexpr int kRepetitionsOfRandom = 20;

std::uint64_t parse_seed(const std::string& text) {
  return *seed_of("seed:" + text);
}

SampleSet measure_there(LaunchTarget target, const std::vector<std::string>& experiments, int ranks) {
  SettingOptions settings;
  settings.settings.most_repetitions = kMostSimulatedRepetitions;
  settings.budget = kSimulatedBudget;
  std::vector<std::string> words = words_of(settings);
  words.insert(words.end(), experiments.begin(), experiments.end());
  target.ranks = ranks;
  return run_measuring_program(target, std::move(words));
}

/// As `postage measure --virtual` does.
Platform measure_platform(const RandomPlatform& random, const VirtualClusterFiles& files, const KeptSeed& kept) {
  const LaunchTarget target{.hostfile = files.hostfile,
                            .virtual_platform = files.platform,
                            .smpi_arguments = files.smpi_arguments,
                            .time_limit = measuring_time_limit(3600)};
  const auto on_all = [&](const std::vector<std::string>& words) {
    return measure_there(target, words, random.ranks());
  };
  const SampleSet samples = kept.samples("samples.json", [&] {
    SampleSet messages = kept.samples("messages.json", [&] {
      SampleSet first = on_all(experiments_for(estimated_models(), {.quick = false, .is_virtual = true}));
      const int few = refining_ranks(first);
      const auto again = [&](const std::vector<std::string>& more) { return measure_there(target, more, few); };
      return refine_samples(std::move(first), again);
    });
    return with_held_out(std::move(messages), {.count = kUsualHeldOut}, on_all);
  });
  Platform platform = estimate_platform(samples, random.name());
  add_held_out(platform, samples);
  return platform;
}

/// What was done when, in seconds since the start; from several threads.
class RandomLog {
 public:
  explicit RandomLog(const RandomPlan& plan) : plan_(plan) {}
  void tell(const std::string& what) {
    if (plan_.tell) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
      plan_.tell(fmt::format("{:.0f} s: {}", spent.count(), what));
    }
  }

 private:
  const RandomPlan& plan_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

AccuracyReport run_seed(const RandomPlan& plan, std::uint64_t seed, RandomLog& log) {
  const RandomPlatform random = random_platform(seed);
  const TemporaryFolder folder;
  const KeptSeed kept(plan.keep, random);
  const VirtualClusterFiles files = write_random_platform(random, kept.is_kept() ? kept.folder() : folder.path());
  const Platform platform = measure_platform(random, files, kept);
  kept.keep(platform);
  log.tell(fmt::format("{} is measured: {}", random.name(), random.title));
  const std::vector<BatchPoint> points = random_points(random, plan.points);
  const auto times =
      kept.times(points, [&] { return simulate_points(files, random.ranks(), points, kRepetitionsOfRandom); });
  log.tell(fmt::format("{}: {} points are simulated", random.name(), points.size()));
  const Mapping mapping = Mapping::block(random.network.hosts, random.ranks_per_host);
  AccuracyReport report{.points = predict_points({random.name(), "block"}, points, platform, mapping, times)};
  report.platforms.emplace_back(
      random.name(),
      fmt::format("{}; by {}", random.title, choose_model(platform.models, platform.held_out).table->model));
  log.tell(fmt::format("{}: predicted", random.name()));
  return report;
}

/// What failed is said, with the reason.
AccuracyReport run_seed_if_possible(const RandomPlan& plan, std::uint64_t seed, RandomLog& log) {
  try {
    return run_seed(plan, seed, log);
  } catch (const Error& reason) {
    AccuracyReport report;
    report.left_out.push_back(fmt::format("{}: {}", random_platform(seed).name(), reason.what()));
    log.tell(report.left_out.back());
    return report;
  }
}

AccuracyReport only_of(const std::string& name, const AccuracyReport& all) {
  AccuracyReport one;
  std::copy_if(all.points.begin(), all.points.end(), std::back_inserter(one.points),
               [&](const AccuracyPoint& point) { return point.platform == name; });
  std::copy_if(all.platforms.begin(), all.platforms.end(), std::back_inserter(one.platforms),
               [&](const auto& platform) { return platform.first == name; });
  return one;
}

}  // namespace

SeedRange parse_seeds(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::uint64_t first = parse_seed(text.substr(0, colon));
  const SeedRange seeds{first, colon == std::string::npos ? first : parse_seed(text.substr(colon + 1))};
  if (seeds.last < seeds.first) {
    throw UsageError(fmt::format("--seeds {} ends before it begins; give FIRST:LAST, like 1:12", text));
  }
  return seeds;
}

AccuracyReport run_random_suite(const RandomPlan& plan) {
  AccuracyReport report;
  report.command = fmt::format("postage validate --suite random --seeds {}:{} --points {}", plan.seeds.first,
                               plan.seeds.last, plan.points);
  report.best_model = kDefaultModel;
  RandomLog log(plan);
  const AccuracyReport earlier = read_reports(plan.earlier);
  std::vector<AccuracyReport> results(plan.seeds.last - plan.seeds.first + 1);
  std::mutex mutex;
  run_at_once(results.size(), [&](std::size_t index) {
    const std::uint64_t seed = plan.seeds.first + index;
    const std::string name = random_platform(seed).name();
    AccuracyReport one = has_platform(earlier, name) ? only_of(name, earlier) : run_seed_if_possible(plan, seed, log);
    const std::lock_guard lock(mutex);
    results[index] = std::move(one);
    AccuracyReport all = report;
    for (const AccuracyReport& result : results) {
      append(all, result);
    }
    write_json(plan.output, to_json(all));
  });
  for (AccuracyReport& result : results) {
    append(report, std::move(result));
  }
  return report;
}

Coverage coverage_of(std::span<const AccuracyPoint> points, const std::string& model) {
  Coverage coverage;
  std::size_t inside = 0;
  std::vector<double> widths;
  for (const AccuracyPoint& point : points) {
    const auto found = point.intervals.find(model);
    if (found != point.intervals.end()) {
      ++coverage.points;
      inside += found->second.contains(point.measured) ? 1 : 0;
      widths.push_back(std::sqrt(found->second.upper / std::max(found->second.lower, 1e-300)) - 1);
    }
  }
  coverage.share = coverage.points == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(coverage.points);
  coverage.median_half_width = widths.empty() ? 0 : median(widths);
  return coverage;
}

std::string_view family_of(const AccuracyPoint& point) {
  constexpr std::size_t kPrefix = std::string_view("seed").size();
  return name_of(random_platform(parse_seed(point.platform.substr(kPrefix))).family);
}

}  // namespace postage
