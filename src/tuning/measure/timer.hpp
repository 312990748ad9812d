#pragma once

#include "tuning/measure/times.hpp"

#include <postage/launch/launch.hpp>
#include <postage/tuning/tune.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace postage {

/// A point at which to time choices beside the library's default.
struct TimingRequest {
  TuningPoint point;
  std::vector<DecisionChoice> choices;
};

/// Times the library's own algorithms in one job.
class ChoiceTimer {
 public:
  virtual ~ChoiceTimer() = default;
  /// Adds the times of those that are not known yet, and keeps them. With `again`, under again_key, times of choices
  /// that were found to be the best of several: the times by which they were chosen are better than they are. A choice
  /// with which the library fails has no times afterwards. `seconds` may be spent where time is real; `told` is called
  /// with the share of the requests that is done.
  virtual void time(const std::vector<TimingRequest>& requests, bool again, Seconds seconds, MeasuredTimes& times,
                    const std::function<void(double)>& told) = 0;
};

/// SMPI: --cfg=smpi/COLLECTIVE:NAME, and coll-selector for the default; one simulation for each algorithm.
[[nodiscard]] std::unique_ptr<ChoiceTimer> simulated_timer(const TuneRequest& request, LaunchTarget target);

/// Open MPI and MPICH: their variables are set through MPI's tool interface, so that all choices of a point alternate
/// in one job (postage-choices).
[[nodiscard]] std::unique_ptr<ChoiceTimer> real_timer(const TuneRequest& request, LaunchTarget target);

/// The one for the request's library. Throws UsageError for one that cannot be timed.
[[nodiscard]] std::unique_ptr<ChoiceTimer> timer_for(const TuneRequest& request, LaunchTarget target);

/// True where timer_for knows how to ask this library for an algorithm.
[[nodiscard]] bool can_time(TuningTarget target);

}  // namespace postage
