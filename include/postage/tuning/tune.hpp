#pragma once

#include <postage/launch/launch.hpp>
#include <postage/platform/platform.hpp>
#include <postage/tuning/decision_table.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace postage {

/// How a tuned job's ranks are placed: node after node.
struct TuningJob {
  std::int32_t nodes = 1;
  std::int32_t per_node = 2;
  [[nodiscard]] Rank ranks() const { return nodes * per_node; }
};

/// Where a collective of the library takes longer than others that would do the same (see guidelines.hpp).
struct SuspectedPoint {
  Collective collective = Collective::kBcast;
  Rank ranks = 2;
  Bytes bytes = 0;
  /// What does the same as the others; empty: any other algorithm may be faster.
  std::string schedule{};
};

/// The violations in what `postage guidelines -o FILE` wrote. Throws Error naming the file and the field.
[[nodiscard]] std::vector<SuspectedPoint> read_violations(const std::filesystem::path& path);

/// What to tune.
struct TuneRequest {
  TuningTarget target = TuningTarget::kOpenMpi;
  LibraryVersion version{};
  /// SMPI: the selector whose decisions are the default: ompi, mpich, mvapich2 or impi.
  std::string selector = "ompi";
  /// Placements, of which each gets communicators of the first P of its ranks.
  std::vector<TuningJob> jobs;
  std::vector<Collective> collectives;
  /// Rising. Rules end at the largest one, and the default stays beyond.
  std::vector<Bytes> sizes;
  /// Rules whose gain is not surely above this share of the default's time are dropped.
  double least_gain = 0.02;
  /// Contenders are measured whose predicted time is within this share of the shortest one.
  double margin = 0.4;
  /// Measures all choices at all sizes instead, whatever is predicted.
  bool exhaustive = false;
  /// Sizes up to the largest one at which these choices are contenders, too, whatever their predicted times.
  std::vector<SuspectedPoint> suspected{};
  /// Seconds that measuring may take; simulated time costs nothing, so there it limits nothing.
  Seconds budget = 60;
  /// Where interrupted runs go on from; written after each batch of measurements. Empty keeps nothing.
  std::filesystem::path state{};
  /// Called often, with a sentence and the share of the work that is done; what it throws ends the tuning.
  std::function<void(const std::string&, double)> tell{};
  /// Called with a sentence where something was measured in another way than it should have been.
  std::function<void(const std::string&)> remark{};
};

/// Measures among the ranks of one job with the library to be tuned, and decides. `target_of` says where a job's ranks
/// are started. The table's cells are the points that were measured. Throws Error where a step fails, Interrupted.
[[nodiscard]] DecisionTable tune(const TuneRequest& request, const Platform& platform,
                                 const std::function<LaunchTarget(const TuningJob&)>& target_of);

/// By prediction only, for a library that is not here: rules say the algorithm that is predicted to be the fastest, and
/// know no default; their gain is of no pairs.
[[nodiscard]] DecisionTable decide_by_prediction(const TuneRequest& request, const Platform& platform);

}  // namespace postage
