#pragma once

#include "cli/options/job_options.hpp"

#include <postage/optimize/mapping/advice.hpp>

#include <string>
#include <vector>

namespace postage {

/// postage optimize mapping, as typed.
struct MappingAdviceOptions {
  JobOptions job;  ///< platform, parameters, model, nodes, per node, size, mapping of today
  std::string pattern;
  std::string hosts;  ///< names: a list as Slurm writes it, or a file
  std::string output;
  std::string virtual_name;
  std::string mpi;  ///< openmpi or mpich: what --verify starts ranks with
  std::string lab;  ///< on whose hosts; else on --hosts
  std::int64_t swaps = SearchLimits{}.swaps;
  std::int64_t seed = 1;
  bool verify = false;
  bool json = false;
};

/// The pattern asked for on so many slots: ring, 2d-halo, 3d-halo, alltoall, a file, or collectives, by the algorithm
/// named or else the one that `model` predicts to be the fastest on a block mapping. Throws UsageError naming what
/// cannot be read or does not fit.
[[nodiscard]] MappingTask mapping_task(const MappingAdviceOptions& options, Rank slots, const PlatformModel& model);

/// The slot of each rank in today's mapping file; empty for block and cyclic. Throws UsageError where it uses a slot
/// beyond --nodes and --per-node or misses ranks.
[[nodiscard]] std::vector<Rank> todays_slots(const MappingAdviceOptions& options, Rank ranks);

/// The hosts' names: those of --hosts, else the platform's where it has as many nodes; else none. Throws UsageError
/// where --hosts names fewer.
[[nodiscard]] std::vector<std::string> host_names(const MappingAdviceOptions& options, const Platform& platform);

/// Seconds that SMPI takes on a simulated cluster for the communication, with the ranks on their slots.
[[nodiscard]] Seconds simulated_seconds(const MappingAdviceOptions& options, const Communication& communication,
                                        const std::vector<Rank>& slot_of_rank);

}  // namespace postage
