#include "tuning/decide/candidates.hpp"
#include "tuning/measure/library_settings.hpp"
#include "tuning/measure/timer.hpp"
#include "tuning/prove/default_choices.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/measuring.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace postage {
namespace {

/// What is measured in one job, after which it is kept: an interrupted run loses no more.
constexpr std::size_t kPointsOfJob = 40;

CollectiveRun buffers_of(const TuningPoint& point) {
  const auto candidates = algorithms_of(point.collective);
  const auto able = std::find_if(candidates.begin(), candidates.end(),
                                 [&](const Algorithm& algorithm) { return can_do(algorithm, point.ranks); });
  return {.collective = point.collective, .algorithm = std::string(able->name), .bytes = point.bytes};
}

class RealTimer final : public ChoiceTimer {
 public:
  RealTimer(const TuneRequest& request, LaunchTarget target)
      : request_(request), target_(std::move(target)), defaults_(request_, target_) {
    target_.program = "postage-choices";
  }

  void time(const std::vector<TimingRequest>& requests, bool again, Seconds seconds, MeasuredTimes& times,
            const std::function<void(double)>& told) override {
    const std::vector<TimingRequest> missing = missing_of(requests, again, times);
    std::vector<TuningPoint> points;
    std::transform(missing.begin(), missing.end(), std::back_inserter(points),
                   [](const TimingRequest& request) { return request.point; });
    defaults_.look_at(points);
    for (std::size_t first = 0; first < missing.size(); first += kPointsOfJob) {
      const std::size_t last = std::min(first + kPointsOfJob, missing.size());
      const std::vector<TimingRequest> part(missing.begin() + static_cast<std::ptrdiff_t>(first),
                                            missing.begin() + static_cast<std::ptrdiff_t>(last));
      const double share = static_cast<double>(part.size()) / static_cast<double>(missing.size());
      const double before = static_cast<double>(first) / static_cast<double>(missing.size());
      run(part, again, seconds * share, times, [&](double done) { told(before + share * done); });
      times.keep();
    }
  }

 private:
  [[nodiscard]] static std::vector<TimingRequest> missing_of(const std::vector<TimingRequest>& requests, bool again,
                                                             const MeasuredTimes& times) {
    std::vector<TimingRequest> missing;
    for (const TimingRequest& request : requests) {
      TimingRequest rest{request.point, {}};
      std::copy_if(request.choices.begin(), request.choices.end(), std::back_inserter(rest.choices),
                   [&](const DecisionChoice& choice) {
                     return !times.has(request.point, again ? again_key(choice) : key_of(choice));
                   });
      if (!rest.choices.empty() || !times.has(request.point, "")) {
        missing.push_back(std::move(rest));
      }
    }
    return missing;
  }

  void run(const std::vector<TimingRequest>& requests, bool again, Seconds seconds, MeasuredTimes& times,
           const std::function<void(double)>& told) const {
    const TemporaryFolder folder;
    const std::filesystem::path points = folder.path() / "points";
    const std::filesystem::path output = folder.path() / "times";
    std::vector<ChoicePoint> list;
    for (const TimingRequest& request : requests) {
      ChoicePoint& point = list.emplace_back(ChoicePoint{{request.point.ranks, buffers_of(request.point)}});
      if (const auto standard = defaults_.at(request.point)) {
        point.standard = settings_for(request_.target, request_.version, request.point.collective, *standard);
      }
      for (const DecisionChoice& choice : request.choices) {
        point.choices.push_back(settings_for(request_.target, request_.version, request.point.collective, choice));
      }
    }
    write_file(points, format_choices(list));
    // What a launcher leaves when it is stopped goes with the folder.
    const RunHooks hooks{.error_line = [&](std::string_view line) { return take_share(line, told); },
                         .lines_extend_limit = true,
                         .environment = {"TMPDIR=" + folder.path().string()}};
    const Seconds limit = measuring_time_limit(seconds);
    std::vector<std::string> words{points.string(), output.string(), fmt::format("{}s", seconds)};
    if (again) {
      // A rule has to gain whichever way malloc treats what the library allocates in each call.
      words.emplace_back("keep");
    }
    static_cast<void>(run_command(launch_command(target_, words), limit, hooks));
    take_times(requests, again, read_file(output), times);
  }

  static bool take_share(std::string_view line, const std::function<void(double)>& told) {
    const std::string_view mark = kProgressMark;
    if (!line.starts_with(mark)) {
      return false;
    }
    double share = 0;
    if (std::istringstream in(std::string(line.substr(mark.size()))); in >> share) {
      told(share);
    }
    return true;
  }

  static std::vector<double> next_line(std::istringstream& lines) {
    std::string line;
    if (!std::getline(lines, line)) {
      throw Error("postage-choices timed fewer points than it was asked for");
    }
    std::istringstream words(line);
    std::vector<double> values;
    for (double seconds = 0; words >> seconds;) {
      values.push_back(seconds);
    }
    return values;
  }

  void take_times(const std::vector<TimingRequest>& requests, bool again, const std::string& text,
                  MeasuredTimes& times) const {
    std::istringstream lines(text);
    for (const TimingRequest& request : requests) {
      const std::vector<double> standard = next_line(lines);
      if (!times.has(request.point, "")) {
        times.set(request.point, "", standard);
        if (const auto forced = defaults_.at(request.point)) {
          times.set_forced_default(request.point, key_of(*forced));
        }
      }
      for (const DecisionChoice& choice : request.choices) {
        times.set(request.point, again ? again_key(choice) : key_of(choice), next_line(lines), standard);
      }
    }
  }

  TuneRequest request_;
  LaunchTarget target_;
  DefaultChoices defaults_;
};

}  // namespace

bool can_time(TuningTarget target) {
  return target == TuningTarget::kOpenMpi || target == TuningTarget::kMpich || target == TuningTarget::kSmpi;
}

std::unique_ptr<ChoiceTimer> real_timer(const TuneRequest& request, LaunchTarget target) {
  return std::make_unique<RealTimer>(request, std::move(target));
}

std::unique_ptr<ChoiceTimer> timer_for(const TuneRequest& request, LaunchTarget target) {
  if (!can_time(request.target)) {
    throw UsageError(fmt::format("the algorithms of {} cannot be chosen for measuring", name_of(request.target)));
  }
  return request.target == TuningTarget::kSmpi ? simulated_timer(request, std::move(target))
                                               : real_timer(request, std::move(target));
}

}  // namespace postage
