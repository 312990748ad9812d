#include "schedule/check/pattern_bytes.hpp"

#include <algorithm>

namespace postage {
namespace {

/// The iterations of its stage in which a pattern takes part.
IndexRange active_iterations(const Pattern& pattern, Index iterations) {
  const Index end = std::min(pattern.active.end, iterations);
  return {pattern.active.begin, std::max<Index>(end - pattern.active.begin, 0)};
}

}  // namespace

Traffic traffic_of(const Schedule& schedule) {
  Traffic traffic;
  for (const Stage& stage : schedule.stages) {
    traffic.rounds += stage.iterations * stage.segments * static_cast<Index>(stage.rounds.size());
    for (const Round& round : stage.rounds) {
      for (const Pattern& pattern : round.patterns) {
        const IndexRange iterations = active_iterations(pattern, stage.iterations);
        traffic.messages += pair_count(pattern.pairs) * iterations.count * stage.segments;
        // Segments cut messages; together they carry the same bytes.
        traffic.bytes += pattern_bytes(pattern, schedule.layout, iterations);
      }
    }
  }
  return traffic;
}

}  // namespace postage
