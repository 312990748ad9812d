#include "unit/schedule/shape.hpp"

#include <gtest/gtest.h>

namespace postage {
namespace {

constexpr Bytes kBytes = 100;

TEST(Scan, HasTheKnownNumbersOfRoundsAndMessages) {
  for (const Collective collective : {Collective::kScan, Collective::kExscan}) {
    for (const Rank p : {2, 3, 8, 23, 1024}) {
      const ScheduleRequest request{.ranks = p, .bytes = kBytes};
      EXPECT_EQ(traffic_for(collective, "linear", request), (Traffic{p - 1, (p - 1) * kBytes, p - 1}));
      Index couples = 0;
      for (Index v = 0; v < p; ++v) {
        for (Index distance = 1; distance < p; distance *= 2) {
          couples += (v ^ distance) < p ? 1 : 0;
        }
      }
      EXPECT_EQ(traffic_for(collective, "recursive-doubling", request),
                (Traffic{couples, couples * kBytes, ceil_log2(p)}));
    }
  }
}

TEST(Scan, PassesSegmentsAlongTheChain) {
  const Schedule schedule =
      schedule_for(Collective::kScan, "linear", {.ranks = 3, .bytes = 5, .segment_bytes = 3, .commutative = false});
  EXPECT_EQ(messages_of(schedule), (std::vector<Message>{{0, 1, 3}, {1, 2, 3}, {0, 1, 2}, {1, 2, 2}}));
}

}  // namespace
}  // namespace postage
