#pragma once

#include "cli/launching.hpp"

#include <postage/platform/platform.hpp>
#include <postage/tuning/implementation.hpp>
#include <postage/tuning/tune.hpp>

#include <string>
#include <vector>

namespace postage {

inline constexpr const char* kUsualTuningSizes = "8:2M:x4";

/// What to tune, as typed.
struct TuneOptions {
  LaunchOptions launch;
  std::string output = "tuned";
  std::string platform;
  std::string nodes;
  std::string per_node;
  std::string targets;
  std::string sizes = kUsualTuningSizes;
  std::string collectives = "all";
  std::string guidelines;
  std::string selector = "ompi";
  std::string tuning_budget = "60s";
  std::string held_out;
  bool exhaustive = false;
  bool force = false;
  bool json = false;
};

/// Throws UsageError for what can be refused before anything is measured.
void check_tune_options(const TuneOptions& options);

/// Throws UsageError where the platform is of another cluster than --virtual names.
void check_cluster(const TuneOptions& options, const Platform& platform);

/// Throws UsageError where the platform was measured with another MPI library than --mpi starts.
void check_mpi(const TuneOptions& options, const Platform& platform);

/// Those of --for, by default the one found: those without a version are of the release found, or a recent one. Throws
/// UsageError where nothing was asked for or found.
[[nodiscard]] std::vector<LibraryRelease> wanted_targets(const TuneOptions& options, const Platform& platform);

/// Placements to tune: as the platform was measured, or each number of ranks a node on the largest number of nodes.
[[nodiscard]] std::vector<TuningJob> jobs_of(const TuneOptions& options, const Platform& platform);

[[nodiscard]] std::vector<Collective> collectives_of(const TuneOptions& options);

}  // namespace postage
