#include "tuning/decide/candidates.hpp"
#include "tuning/measure/timer.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/launch.hpp>
#include <postage/measure/batch.hpp>
#include <postage/predict/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

namespace postage {
namespace {

/// What one simulation times: points of one algorithm of one collective, or of the default among one number of ranks.
/// What SMPI's selectors decide, and whether it deadlocks, also depends on which other communicators there are.
struct Simulation {
  std::string setting;  ///< of smpirun
  std::string choice;   ///< key_of; empty for the default
  std::vector<TuningPoint> points;
};

using SimulatedTimes = std::pair<TuningPoint, std::vector<double>>;

/// Simulations under way at once: each takes a processor and the memory of all of its ranks.
constexpr unsigned kMostWorkers = 4;
/// Of wall time, for simulations that never end: ten times what the longest takes, since other programs may have the
/// processors, and an algorithm must not be left out for that.
constexpr Seconds kLimitOfPoint = 300;
/// Noise is drawn anew in each; without noise three agree and are enough.
constexpr int kMostRepetitions = 20;

/// The batch program takes buffers from an algorithm, any that can do it.
CollectiveRun run_of(const TuningPoint& point) {
  const auto candidates = algorithms_of(point.collective);
  const auto able = std::find_if(candidates.begin(), candidates.end(),
                                 [&](const Algorithm& algorithm) { return can_do(algorithm, point.ranks); });
  return {.collective = point.collective, .algorithm = std::string(able->name), .bytes = point.bytes};
}

std::vector<std::vector<double>> parse_lines(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::vector<double>> all;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<double>& times = all.emplace_back();
    for (double seconds = 0; words >> seconds;) {
      times.push_back(seconds);
    }
  }
  return all;
}

class SimulatedTimer final : public ChoiceTimer {
 public:
  SimulatedTimer(const TuneRequest& request, LaunchTarget target) : request_(request), target_(std::move(target)) {
    target_.program = "postage-batch";
    target_.smpi_arguments.emplace_back("--cfg=smpi/privatization:no");
    // Throws where the program is missing: below, a simulation that fails is one of an algorithm that cannot.
    static_cast<void>(launch_command(target_, {}));
  }

  /// Simulated times are the same again: nothing is simulated twice.
  void time(const std::vector<TimingRequest>& requests, bool, Seconds, MeasuredTimes& times,
            const std::function<void(double)>& told) override {
    const std::vector<Simulation> simulations = simulations_for(requests, times);
    std::atomic<std::size_t> next = 0;
    std::size_t done = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
      for (std::size_t i = next++; i < simulations.size(); i = next++) {
        try {
          const std::vector<SimulatedTimes> found = run(simulations[i]);
          const std::lock_guard lock(mutex);
          for (const auto& [point, seconds] : found) {
            times.set(point, simulations[i].choice, seconds);
          }
          times.keep_now_and_then();
          told(static_cast<double>(++done) / static_cast<double>(simulations.size()));
        } catch (...) {
          const std::lock_guard lock(mutex);
          failure = std::current_exception();
          next = simulations.size();
        }
      }
    };
    {
      std::vector<std::jthread> workers(std::max(1U, std::min(kMostWorkers, std::thread::hardware_concurrency())));
      for (std::jthread& worker : workers) {
        worker = std::jthread(work);
      }
    }
    if (!simulations.empty()) {
      times.keep();
    }
    if (failure) {
      std::rethrow_exception(failure);
    }
  }

 private:
  [[nodiscard]] std::vector<Simulation> simulations_for(const std::vector<TimingRequest>& requests,
                                                        const MeasuredTimes& times) const {
    std::map<std::pair<std::string, Rank>, Simulation> all;
    const auto add = [&](const std::string& setting, const std::string& choice, const TuningPoint& point) {
      Simulation& simulation = all[{setting, choice.empty() ? point.ranks : 0}];
      simulation.setting = setting;
      simulation.choice = choice;
      simulation.points.push_back(point);
    };
    for (const auto& [point, choices] : requests) {
      if (!times.has(point, "")) {
        add(fmt::format("--cfg=smpi/coll-selector:{}", request_.selector), "", point);
      }
      for (const DecisionChoice& choice : choices) {
        if (!times.has(point, key_of(choice))) {
          add(fmt::format("--cfg=smpi/{}:{}", name_of(point.collective), choice.library_name), key_of(choice), point);
        }
      }
    }
    std::vector<Simulation> list;
    list.reserve(all.size());
    for (auto& [key, simulation] : all) {
      list.push_back(std::move(simulation));
    }
    // The longest first, so that none is left to one processor at the end.
    std::stable_sort(list.begin(), list.end(),
                     [](const Simulation& a, const Simulation& b) { return a.points.size() > b.points.size(); });
    return list;
  }

  /// A point at which the simulation ends, since the algorithm deadlocks or aborts there, gets no times; those after it
  /// are simulated anew.
  [[nodiscard]] std::vector<SimulatedTimes> run(const Simulation& simulation) const {
    std::vector<SimulatedTimes> found;
    Simulation rest = simulation;
    while (!rest.points.empty()) {
      auto all = simulate(rest);
      all.resize(std::min(all.size() + 1, rest.points.size()));
      for (std::size_t i = 0; i < all.size(); ++i) {
        found.emplace_back(rest.points[i], std::move(all[i]));
      }
      rest.points.erase(rest.points.begin(), rest.points.begin() + static_cast<std::ptrdiff_t>(all.size()));
    }
    return found;
  }

  /// The times of the points before the first one that fails.
  [[nodiscard]] std::vector<std::vector<double>> simulate(const Simulation& simulation) const {
    const TemporaryFolder folder;
    const std::filesystem::path points = folder.path() / "points";
    const std::filesystem::path output = folder.path() / "times";
    std::vector<BatchPoint> batch;
    batch.reserve(simulation.points.size());
    for (const TuningPoint& point : simulation.points) {
      batch.push_back({point.ranks, run_of(point)});
    }
    write_file(points, format_batch(batch));
    LaunchTarget target = target_;
    target.smpi_arguments.push_back(simulation.setting);
    const std::vector<std::string> arguments{points.string(), output.string(), std::to_string(kMostRepetitions),
                                             fmt::format("{}s", kStartSpread), "library"};
    try {
      static_cast<void>(
          run_command(launch_command(target, arguments), kLimitOfPoint * static_cast<double>(batch.size())));
    } catch (const Error&) {
      // The times that were written until then count.
    }
    auto times = std::filesystem::exists(output) ? parse_lines(read_file(output)) : std::vector<std::vector<double>>{};
    if (times.size() > batch.size()) {
      throw Error(fmt::format("postage-batch timed {} of {} points", times.size(), batch.size()));
    }
    return times;
  }

  TuneRequest request_;
  LaunchTarget target_;
};

}  // namespace

std::unique_ptr<ChoiceTimer> simulated_timer(const TuneRequest& request, LaunchTarget target) {
  return std::make_unique<SimulatedTimer>(request, std::move(target));
}

}  // namespace postage
