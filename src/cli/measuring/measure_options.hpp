#pragma once

#include "cli/launching.hpp"

#include <postage/measure/held_out_draw.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace postage {

/// What `postage measure` is asked for.
struct MeasureOptions {
  LaunchOptions launch;
  std::string output;  ///< empty: platform.json, where there is none
  bool force = false;
  std::string samples;
  std::string name;
  std::string models;
  std::string topology;
  std::map<std::string, std::string> sizes;  ///< by option, as typed: instead of what the models need
  std::vector<std::string> collectives;
  std::size_t held_out = kUsualHeldOut;
  std::size_t held_out_seed = 1;
  bool quick = false;
  bool dry_run = false;
  int per_node = 1;
  std::string pairs;
  std::string format = "platform";
  int repeat = 0;
  bool parameters = false;
  bool json = false;
};

/// The models that were asked for; all that can be estimated where none was. Throws UsageError for one that there is
/// not.
[[nodiscard]] std::vector<std::string> chosen_models(const MeasureOptions& options);

/// What the measuring program is asked for: the models' experiments, at the user's sizes where there are some.
[[nodiscard]] std::vector<std::string> experiments_of(const MeasureOptions& options);

/// How it is started: a quick campaign has lower settings, where the user gave none, and Slurm's limit ends all.
/// Throws UsageError where Slurm leaves no time.
[[nodiscard]] LaunchOptions launch_of(const MeasureOptions& options);

}  // namespace postage
