#pragma once

#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/virtual_cluster.hpp>
#include <postage/samples/samples.hpp>

#include <cstdlib>

namespace postage {

/// Runs the measuring program on a simulated platform; `experiments` are its arguments.
inline SampleSet simulate(const VirtualClusterFiles& files, int ranks, std::vector<std::string> experiments) {
  setenv("POSTAGE_LIBEXEC", POSTAGE_PROGRAMS, 1);
  const TemporaryFolder folder;
  const auto output = folder.path() / "samples.json";
  experiments.insert(experiments.end(), {"-o", output.string()});
  const LaunchTarget target{.hostfile = files.hostfile,
                            .ranks = ranks,
                            .virtual_platform = files.platform,
                            .smpi_arguments = files.smpi_arguments};
  static_cast<void>(run_command(launch_command(target, experiments), 280));
  return samples_from_json(read_json(output), output);
}

inline SampleSet simulate(const VirtualCluster& cluster, int ranks, const std::vector<std::string>& experiments) {
  const TemporaryFolder folder;
  return simulate(write_virtual_cluster(cluster, folder.path()), ranks, experiments);
}

}  // namespace postage
