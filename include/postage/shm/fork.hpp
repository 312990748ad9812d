#pragma once

#include <postage/shm/endpoint.hpp>

#include <functional>
#include <vector>

namespace postage {

/// How forked ranks are started.
struct ForkOptions {
  /// Each rank on a core of its own, in the order of the topology, where there are as many cores as ranks.
  bool bind = true;
  /// Hardware thread of each rank, instead; as many as there are ranks, or none.
  std::vector<int> pus{};
  SegmentOptions segment{};
  ShmOptions endpoint{};
};

/// Forks `ranks` processes that share a segment, lets each do `work`, and waits for all. What `work` returns is
/// the process's exit status; what it throws is printed on standard error, and the status is 2 for a UsageError and 1
/// for anything else. Returns the largest status, 1 for a rank that a signal killed. The ranks die with the caller.
/// Throws as ShmSegment::create, and Error where the system can start no more processes.
int run_forked(std::int32_t ranks, const std::function<int(ShmEndpoint&)>& work, const ForkOptions& options = {});

}  // namespace postage
