#pragma once

#include <postage/tuning/preload_gains.hpp>

#include <string>
#include <vector>

namespace postage {

/// What is timed of the preload library: every blocking collective at powers of two of bytes, through it and past it.
struct PreloadBenchPlan {
  std::string mpi{};  ///< "openmpi" or "mpich"; empty takes the first one found
  int ranks = 2;
  int pairs = 5;           ///< of times, one of each side, at each size
  Seconds seconds = 1e-3;  ///< about that long each side of a pair takes
  Bytes smallest = 8;      ///< a multiple of 8
  Bytes largest = 4 << 20;

  /// From the smallest to the largest of these. Throws UsageError unless both are powers of two from 8 on.
  void set_sizes(const std::vector<Bytes>& sizes);
};

/// Runs postage-bench-preload-MPI on this node with the preload library. Throws UsageError for an MPI that has none,
/// and Error where it is not built or fails.
[[nodiscard]] PreloadGains run_preload_bench(const PreloadBenchPlan& plan);

}  // namespace postage
