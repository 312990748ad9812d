#include "validate/random/random_points.hpp"
#include "validate/suite/prediction.hpp"
#include "validate/suite/simulation.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/launch/measuring.hpp>
#include <postage/launch/random_platform.hpp>
#include <postage/measure/setting_options.hpp>
#include <postage/validate/random_suite.hpp>
#include <postage/validate/refinement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace postage {
namespace {

/// Times of platforms with noise are medians of so many.
constexpr int kRepetitionsOfRandom = 20;
constexpr Seconds kSimulatedBudget = 60;

std::uint64_t parse_seed(const std::string& text) {
  return *seed_of("seed:" + text);
}

SampleSet measure_there(LaunchTarget target, const std::vector<std::string>& experiments, int ranks) {
  SettingOptions settings;
  settings.settings.most_repetitions = kMostSimulatedRepetitions;
  settings.budget = fmt::format("{}s", kSimulatedBudget);
  std::vector<std::string> words = words_of(settings);
  words.insert(words.end(), experiments.begin(), experiments.end());
  target.ranks = ranks;
  return run_measuring_program(target, std::move(words));
}

/// As `postage measure --virtual` does.
Platform measure_platform(const RandomPlatform& random, const VirtualClusterFiles& files) {
  const LaunchTarget target{.hostfile = files.hostfile,
                            .virtual_platform = files.platform,
                            .smpi_arguments = files.smpi_arguments,
                            .time_limit = measuring_time_limit(3600)};
  SampleSet samples =
      measure_there(target, experiments_for(estimated_models(), {.quick = false, .is_virtual = true}), random.ranks());
  const int few = refining_ranks(samples);
  const auto again = [&](const std::vector<std::string>& words) { return measure_there(target, words, few); };
  return estimate_platform(refine_samples(std::move(samples), again), random.name());
}

/// What went where, with the seconds that each step took.
class RandomLog {
 public:
  explicit RandomLog(const RandomPlan& plan) : plan_(plan) {}
  void tell(const std::string& what) {
    const auto now = std::chrono::steady_clock::now();
    if (plan_.tell) {
      plan_.tell(fmt::format("{} ({:.0f} s)", what, std::chrono::duration<double>(now - last_).count()));
    }
    last_ = now;
  }

 private:
  const RandomPlan& plan_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void keep_random(const RandomPlan& plan, const RandomPlatform& random, const Platform& platform,
                 const std::vector<BatchPoint>& points) {
  if (!plan.keep.empty()) {
    const std::filesystem::path own = plan.keep / random.name();
    static_cast<void>(write_random_platform(random, own));
    write_platform(own / "platform.json", platform);
    write_file(own / "points", format_batch(points));
  }
}

AccuracyReport run_seed(const RandomPlan& plan, std::uint64_t seed, RandomLog& log) {
  const RandomPlatform random = random_platform(seed);
  const TemporaryFolder folder;
  const VirtualClusterFiles files = write_random_platform(random, folder.path());
  const Platform platform = measure_platform(random, files);
  log.tell(fmt::format("{}, {}, is measured", random.name(), random.title));
  const std::vector<BatchPoint> points = random_points(random, plan.points);
  keep_random(plan, random, platform, points);
  const auto times = simulate_points(files, random.ranks(), points, kRepetitionsOfRandom);
  log.tell(fmt::format("{}: {} points are simulated", random.name(), points.size()));
  const Mapping mapping = Mapping::block(random.network.hosts, random.ranks_per_host);
  AccuracyReport report{.points = predict_points({random.name(), "block"}, points, platform, mapping, times)};
  report.platforms.emplace_back(random.name(), random.title);
  log.tell(fmt::format("{}: predicted", random.name()));
  return report;
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
  RandomLog log(plan);
  for (std::uint64_t seed = plan.seeds.first; seed <= plan.seeds.last; ++seed) {
    append(report, run_seed(plan, seed, log));
    write_json(plan.output, to_json(report));
  }
  return report;
}

Coverage coverage_of(std::span<const AccuracyPoint> points, const std::string& model) {
  Coverage coverage;
  std::size_t inside = 0;
  for (const AccuracyPoint& point : points) {
    const auto found = point.intervals.find(model);
    if (found != point.intervals.end()) {
      ++coverage.points;
      inside += found->second.contains(point.measured) ? 1 : 0;
    }
  }
  coverage.share = coverage.points == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(coverage.points);
  return coverage;
}

std::string_view family_of(const AccuracyPoint& point) {
  constexpr std::size_t kPrefix = std::string_view("seed").size();
  return name_of(random_platform(parse_seed(point.platform.substr(kPrefix))).family);
}

}  // namespace postage
