#pragma once

#include <postage/base/json.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/virtual_machine.hpp>
#include <postage/samples/samples.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace postage {

struct PaperOptions {
  std::uint64_t seed = 20240229;  ///< of everything random
  std::function<void(const std::string&)> tell{};
};

/// What exhibits of one run share: files, programs to start, and results that more than one of them needs.
class PaperContext {
 public:
  explicit PaperContext(PaperOptions options = {}) : options_(std::move(options)) {}

  [[nodiscard]] std::uint64_t seed() const { return options_.seed; }
  /// A line about what is going on.
  void tell(const std::string& text) const;
  /// For files; it goes with the run.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  /// Runs the measuring program of an MPI, of shared memory or of a simulated cluster with settings and experiments, as
  /// `postage measure` does. Throws Error and Interrupted.
  [[nodiscard]] SampleSet measure(const LaunchTarget& target, const std::vector<std::string>& arguments) const;
  /// The same on a simulated machine, or on a simulated cluster, one rank on each of its hosts' cores.
  [[nodiscard]] SampleSet simulate(const VirtualMachine& machine, int ranks, Placement placement,
                                   const std::vector<std::string>& arguments) const;
  [[nodiscard]] SampleSet simulate(const VirtualCluster& cluster, int ranks,
                                   const std::vector<std::string>& arguments) const;

  /// The value of this name, made on the first call: several exhibits may use one simulation.
  const Json& once(const std::string& name, const std::function<Json()>& make);

 private:
  [[nodiscard]] SampleSet simulate(const VirtualClusterFiles& files, int ranks,
                                   const std::vector<std::string>& arguments) const;

  PaperOptions options_;
  TemporaryFolder folder_;
  std::map<std::string, Json> values_;
};

}  // namespace postage
