#include "support/exhaustive.hpp"

#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace postage {
namespace {

Traffic visited(const Schedule& schedule) {
  Traffic traffic{.rounds = traffic_of(schedule).rounds};
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& t) {
    ++traffic.messages;
    traffic.bytes += t.bytes;
  });
  return traffic;
}

/// Sizes of blocks that follow no formula.
std::vector<Bytes> uneven(Index blocks, Bytes element_bytes) {
  std::vector<Bytes> bytes;
  for (Index i = 0; i < blocks; ++i) {
    bytes.push_back(element_bytes * (i * i * 7 % 11 % 5));
  }
  return bytes;
}

/// Messages equal and uneven, whole and in segments, with few elements for the blocks and with many.
std::vector<ScheduleRequest> requests(const Algorithm& algorithm, Rank ranks) {
  std::vector<ScheduleRequest> all;
  for (const Bytes elements : {0, 3, 24, 1001}) {
    for (const Rank root : {0, ranks / 3}) {
      all.push_back({.ranks = ranks, .root = root, .bytes = 4 * elements, .element_bytes = 4});
    }
  }
  all.push_back({.ranks = ranks, .bytes = 1001, .segment_bytes = 57});
  if (const Index blocks = defined_blocks(algorithm.collective, ranks); blocks > 0) {
    all.push_back({.ranks = ranks, .element_bytes = 2, .block_bytes = uneven(blocks, 2)});
  }
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    for (Index value = parameter.minimum; value <= std::min(parameter.minimum + 5, parameter.maximum); ++value) {
      all.push_back({.ranks = ranks, .bytes = 60, .parameters = {{std::string(parameter.name), value}}});
    }
  }
  return all;
}

TEST(Traffic, IsWhatVisitingEveryMessageGives) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Rank ranks : test::rank_counts(40)) {
      if (!can_do(algorithm, ranks)) {
        continue;
      }
      for (const ScheduleRequest& request : requests(algorithm, ranks)) {
        const Schedule schedule = build_schedule(algorithm, request);
        EXPECT_EQ(traffic_of(schedule), visited(schedule))
            << name_of(algorithm.collective) << " " << algorithm.name << " P=" << ranks << " root=" << request.root
            << " bytes=" << request.bytes;
      }
    }
  }
}

/// Patterns that no algorithm here has, in layouts of all kinds.
TEST(Traffic, SumsAnySpanOfAnyPairs) {
  const std::vector<BlockLayout> layouts{BlockLayout::uniform(64, 6), BlockLayout::split(64, 1000, 4),
                                         BlockLayout::split(64, 7, 4), BlockLayout::explicit_sizes(uneven(64, 1))};
  const std::vector<Pairs> all_pairs{
      AffinePairs{.count = 5, .source_first = 1, .source_stride = 3, .target_first = 14, .target_stride = -2},
      AffinePairs{.count = 16,
                  .source_first = 3,
                  .source_stride = -1,
                  .target_first = 9,
                  .target_stride = 5,
                  .source_step = 2,
                  .modulus = 16},
      AffinePairs{.count = 1, .source_first = 2, .target_first = 3, .source_step = 3, .target_step = 3},
      XorPairs{16, 1, 2},
      TiledPairs{.count = 11, .width = 3, .stride = 5, .source_first = 0, .target_first = 1},
      TiledPairs{.count = 8, .width = 2, .stride = 4, .source_first = 0, .target_first = 2},
      ShiftPairs{.ranks = 16, .distances = 5, .first = 1, .stride = 3, .step = 1},
      explicit_pairs({{3, 1}, {0, 7}, {5, 5}})};
  const std::vector<BlockSpan> spans{
      {.by_source = 1},
      {.by_target = 1, .align = 4, .count = 4},
      {.by_target = 1, .align = 2, .count = 2, .doubled = 5},
      {.constant = 1, .by_source = 1, .align = 3, .count = 3, .limit = 13},
      {.constant = 3, .by_source = 1, .by_iteration = -1, .count = 5, .rotation = 4, .modulus = 24},
      {.by_source = 1, .by_target = 1, .by_iteration = 2, .count = 2, .modulus = 20},
      {.constant = 30, .by_source = -1, .count = 3, .limit = 24, .rotation = 7, .modulus = 24},
      {.by_target = 2, .align = 4, .count = 3, .limit = 20, .modulus = 16, .doubled = 8},
      {.constant = 2, .count = 9, .stride = 5, .modulus = 24}};
  int tried = 0;
  for (const BlockLayout& layout : layouts) {
    for (const Pairs& pairs : all_pairs) {
      for (const BlockSpan& span : spans) {
        Schedule schedule{.ranks = 64, .layout = layout};
        schedule.stages.push_back({.iterations = 3, .rounds = {{{Pattern{pairs, FoldedNumbering{}, span}}}}});
        ++tried;
        EXPECT_EQ(traffic_of(schedule), visited(schedule)) << "case " << tried;
      }
    }
  }
  EXPECT_EQ(tried, 4 * 8 * 9);
}

}  // namespace
}  // namespace postage
