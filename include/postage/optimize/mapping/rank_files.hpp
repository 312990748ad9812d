#pragma once

#include <postage/platform/platform.hpp>

#include <string>
#include <vector>

namespace postage {

/// The files by which launchers place ranks, for one placement of ranks on named hosts.
struct RankFiles {
  std::string mapping;   ///< a line "NODE SLOT" for each rank, as --mapping of postage reads it
  std::string rankfile;  ///< of Open MPI: rank R=HOST slot=CORE
  std::string hostfile;  ///< of MPICH's Hydra: HOST:COUNT, in the order of ranks; a host may stand more than once
  std::string hosts;     ///< of Slurm's --distribution=arbitrary: the host of each rank, a line each
  /// Launchers other than Open MPI's say which host a rank is on, not which core: they number the cores of a host by
  /// the ranks on it. True where the placement has ranks on a host in that order anyway.
  bool keeps_cores = true;
};

/// `hosts[node]` names each node; where it is empty, so are all files but `mapping`. Throws UsageError where there are
/// fewer names than nodes.
[[nodiscard]] RankFiles rank_files(const std::vector<RankPlacement>& placements, const std::vector<std::string>& hosts);

}  // namespace postage
