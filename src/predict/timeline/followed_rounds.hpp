#pragma once

#include <postage/schedule/schedule.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace postage {

/// Of each stage that is a pipeline, how many segments are followed before the last one.
using FollowedSegments = std::vector<Index>;

/// Segments of a stage that go through all of its rounds one after the other.
inline Index pipelined_segments(const Stage& stage) {
  return stage.segment_order == SegmentOrder::kPipeline ? stage.segments : 1;
}

/// At most `most` before the last.
inline FollowedSegments followed_segments(const Schedule& schedule, Index most) {
  FollowedSegments followed;
  for (const Stage& stage : schedule.stages) {
    followed.push_back(std::min(most, pipelined_segments(stage) - 1));
  }
  return followed;
}

inline FollowedSegments all_segments(const Schedule& schedule) {
  return followed_segments(schedule, std::numeric_limits<Index>::max());
}

/// Visits the rounds of the segments followed in the schedule's order.
template <typename Visit>
void for_each_followed_round(const Schedule& schedule, const FollowedSegments& followed, const Visit& visit) {
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const Stage& stage = schedule.stages[s];
    const Index outer = pipelined_segments(stage);
    const Index inner = stage.segments / outer;
    for (Index k = 0; k <= followed[s]; ++k) {
      const Index segment = k == followed[s] ? outer - 1 : k;
      for (Index t = 0; t < stage.iterations; ++t) {
        for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
          for (Index within = 0; within < inner; ++within) {
            visit(RoundPosition{s, t, segment + within, r});
          }
        }
      }
    }
  }
}

}  // namespace postage
