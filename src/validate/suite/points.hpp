#pragma once

#include <postage/launch/virtual_machine.hpp>
#include <postage/measure/batch.hpp>
#include <postage/validate/suite.hpp>

#include <string>
#include <vector>

namespace postage {

/// A machine of the suite as it is simulated: how many nodes, which ranks where.
struct SuiteRun {
  std::string platform;
  std::string title;
  int nodes = 1;
  int per_node = 1;
  Placement placement = Placement::kBlock;
  std::vector<BatchPoint> points{};
  std::vector<BatchPoint> too_costly{};
  int repetitions = 1;  ///< at most: times may depend on when exactly ranks start, and some scatter by themselves
};

/// What one run may cost: simulators take some 40 us a message, copy every byte, and find the rates of all messages
/// under way anew whenever one comes or goes.
struct PointLimits {
  Index messages = 12'000;
  double message_pairs = 3e6;  ///< messages of a round, squared, and summed over the rounds
  Bytes traffic = Bytes{3} << 29;
  Bytes memory = Bytes{1} << 29;  ///< of all ranks' buffers
};

struct SuitePoints {
  std::vector<BatchPoint> points{};
  std::vector<BatchPoint> too_costly{};  ///< beyond the limits
};

/// True where a schedule can be simulated in a moment.
[[nodiscard]] bool is_affordable(const BatchPoint& point, const PointLimits& limits = {});

/// The segments that a message is cut into; 0 for small ones, which stay whole.
[[nodiscard]] Bytes segment_for(Bytes bytes);

/// Every algorithm of every collective at some pairs of P and size, so chosen that over a platform's pairs every P
/// meets every size in turn; algorithms that can be cut into segments whole and in segments. What an algorithm cannot
/// do is left out.
[[nodiscard]] SuitePoints suite_points(const std::vector<Rank>& ranks, SuiteScale scale, int turn,
                                       const PointLimits& limits = {});

/// One sentence on the points of a platform's runs that were left out for what they cost; empty where none was.
[[nodiscard]] std::string tell_too_costly(const std::vector<SuiteRun>& runs);

/// The runs of the suite on the platforms named, or on all.
[[nodiscard]] std::vector<SuiteRun> suite_runs(const std::vector<std::string>& platforms, SuiteScale scale);

}  // namespace postage
