#pragma once

#include <postage/base/options.hpp>
#include <postage/launch/launch.hpp>
#include <postage/measure/setting_options.hpp>
#include <postage/samples/samples.hpp>

#include <string>
#include <vector>

namespace postage {

/// How to start measuring programs and how to measure, as typed: shared by measure and validate.
struct LaunchOptions {
  std::string mpi;
  bool shm = false;
  std::string launcher;
  std::string hostfile;
  int ranks = 0;
  std::string virtual_name;
  std::string lab;
  std::vector<std::string> smpi_arguments;
  SettingOptions measuring;
};

void add_launch_options(Command& command, LaunchOptions& options);

/// Of these options, like "--virtual".
[[nodiscard]] std::vector<std::string> launch_option_names();

/// Where the options start programs. Files of a simulated cluster are written into `folder`, which must live as long as
/// what is started. Throws UsageError.
[[nodiscard]] LaunchTarget launch_target(const LaunchOptions& options, const std::filesystem::path& folder);

/// Starts the measuring program and returns what it measured. `experiments` are its further arguments. Says on a
/// terminal how far it is. The first interruption lets it end with what it has: then the samples say so; the second one
/// stops it. Throws Error in one sentence where that fails; leaves no process and no file behind.
[[nodiscard]] SampleSet measure_with(const LaunchOptions& options, const std::vector<std::string>& experiments);

}  // namespace postage
