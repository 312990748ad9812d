#pragma once

#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace postage {

/// Stages of many iterations in each of which another rank, a leaf, first sends to one and the same rank, the hub, as
/// in linear reductions and linear-sync scatters. No leaf waits for an earlier one, so that the hub's pace decides;
/// rounds, of which each waits for its slowest rank, add up what the leaves' messages take one by one. From some
/// iteration on each adds as much, so that only the first ones need to be followed.
struct HubStages {
  /// Of one stage alone the first iterations.
  struct Start {
    Schedule half;
    Schedule whole;   ///< twice the iterations of `half`
    double more = 0;  ///< iterations after `whole`, over those of `half`
  };

  std::vector<Start> starts;
  Schedule others;  ///< the other stages

  /// Nothing where the schedule has no such stage or lists its blocks' sizes, where messages share links of a network,
  /// or where leaves of the second half, or more than one in 64 of all, differ from most by their channel to the hub or
  /// by parameters of their own.
  [[nodiscard]] static std::optional<HubStages> of(const Schedule& schedule, const ChannelMap& channels);

  /// Seconds of the stages by those of their starts. O(messages of the starts), whatever the number of ranks.
  [[nodiscard]] double seconds(const std::function<double(const Schedule&)>& played) const;
};

}  // namespace postage
