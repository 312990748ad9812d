#pragma once

#include <postage/launch/launch.hpp>
#include <postage/measure/campaign.hpp>

#include <functional>
#include <string>
#include <vector>

namespace postage {

/// What happens while a measuring program runs.
struct MeasuringHooks {
  /// Called with how far it is, a few times a second.
  std::function<void(const CampaignProgress&)> progress{};
  /// Called on the first SIGINT or SIGTERM, before the program is asked to end with what it has: the samples then say
  /// that they were interrupted. Without it, and on the second signal, the program is killed.
  std::function<void()> interrupted{};
};

/// The time limit of a LaunchTarget for a program that measures for so long: starting a simulation or a job takes time
/// beside the measuring itself, and a single round may take long.
[[nodiscard]] Seconds measuring_time_limit(Seconds budget);

/// How long a measuring program may go on without telling how far it is: the target's time limit. A simulation, whose
/// processor time has nothing to do with the times that it measures, has an hour at least.
[[nodiscard]] Seconds longest_silence(const LaunchTarget& target);

/// Starts the measuring program of `target` with `arguments` (settings and experiments) and reads what it measured.
/// Leaves no process and no file behind. Throws Error in one sentence where that fails, and Interrupted.
[[nodiscard]] SampleSet run_measuring_program(const LaunchTarget& target, std::vector<std::string> arguments,
                                              const MeasuringHooks& hooks = {});

}  // namespace postage
