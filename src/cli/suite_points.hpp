#pragma once

#include "measure/batch.hpp"

#include <postage/launch/virtual_machine.hpp>

#include <string>
#include <vector>

namespace postage {

/// How much of the suite to run.
enum class SuiteScale { kQuick, kFull };

/// A machine of the suite as it is simulated: how many nodes, which ranks where.
struct SuiteRun {
  std::string platform;
  std::string title;
  int nodes = 1;
  int per_node = 1;
  Placement placement = Placement::kBlock;
  std::vector<BatchPoint> points{};
};

/// What one run may cost: simulators take some 40 us a message and copy every byte.
struct PointLimits {
  Index messages = 12'000;
  Bytes traffic = Bytes{3} << 29;
  Bytes memory = Bytes{1} << 29;  ///< of all ranks' buffers
};

/// Every algorithm of every collective at some pairs of P and size, so chosen that over a platform's pairs every P
/// meets every size in turn; algorithms that can be cut into segments whole and in segments. Points beyond the limits,
/// and those that an algorithm cannot do, are left out.
[[nodiscard]] std::vector<BatchPoint> suite_points(const std::vector<Rank>& ranks, SuiteScale scale, int turn,
                                                   const PointLimits& limits = {});

/// The runs of the suite on the platforms named, or on all.
[[nodiscard]] std::vector<SuiteRun> suite_runs(const std::vector<std::string>& platforms, SuiteScale scale);

}  // namespace postage
