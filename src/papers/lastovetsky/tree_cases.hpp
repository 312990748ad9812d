#pragma once

#include <postage/launch/virtual_cluster.hpp>
#include <postage/papers/context.hpp>
#include <postage/schedule/schedule.hpp>

#include <map>
#include <string>
#include <vector>

namespace postage::lastovetsky_paper {

/// A collective to be tried on a simulated cluster.
struct TreeCase {
  Collective collective = Collective::kScatter;
  Rank root = 0;
  Bytes block = 0;                   ///< on average
  std::string counts;                ///< "equal", "by speed" or "random"
  std::vector<Bytes> block_bytes{};  ///< empty for equal ones
};

/// scatter(v) and gather(v) of a fast and of a slow root, with blocks of three kinds and these mean sizes.
[[nodiscard]] std::vector<TreeCase> tree_cases(const VirtualCluster& cluster, const std::vector<Bytes>& sizes,
                                               std::uint64_t seed);

/// What one took: by the name of a tree's method, or "ompi" and "mpich", what those selectors of SMPI take.
struct CaseTimes {
  TreeCase tree_case;
  std::map<std::string, Seconds> simulated;
  std::map<std::string, Seconds> predicted;
  /// t_0 x bytes: what the root's processor takes for them at least.
  Seconds bound = 0;

  /// The fastest but for the optimised tree and the worst mapping.
  [[nodiscard]] Seconds best_other() const;
  [[nodiscard]] Seconds optimised() const { return simulated.at("optimised"); }
};

/// Measures the cluster as `postage measure` does, builds trees by the LMO model that comes out, and times them beside
/// the library's own collectives, in simulations: means of 20 where messages escalate by chance.
[[nodiscard]] std::vector<CaseTimes> run_tree_cases(PaperContext& context, const VirtualCluster& cluster,
                                                    const std::vector<TreeCase>& cases);

/// 16 hosts at random: overheads of 5 to 60 us and 0.1 to 1 ns a byte, links of 50 to 500 MB/s and 5 to 50 us, evenly
/// on logarithmic scales.
[[nodiscard]] VirtualCluster random_cluster(std::uint64_t seed);

}  // namespace postage::lastovetsky_paper
