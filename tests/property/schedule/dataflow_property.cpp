#include "support/exhaustive.hpp"

#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/check/dataflow.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace postage {
namespace {

/// Whether the operation must be applied in rank order: both where the algorithm can do that.
std::vector<bool> orders(const Algorithm& algorithm) {
  return algorithm.keeps_order ? std::vector{false, true} : std::vector{false};
}

/// One test for each algorithm.
class EveryAlgorithm : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] static const Algorithm& algorithm() { return algorithms()[GetParam()]; }
};

TEST_P(EveryAlgorithm, IsCorrectForAllRanksAndRoots) {
  for (const Rank ranks : test::rank_counts(67)) {
    if (!can_do(algorithm(), ranks)) {
      continue;
    }
    for (const Rank root : has_root(algorithm().collective) ? test::roots(ranks) : std::vector{0}) {
      for (const bool ordered : orders(algorithm())) {
        const Schedule schedule =
            build_schedule(algorithm(), {.ranks = ranks, .root = root, .bytes = 40, .commutative = !ordered});
        const auto mistake = find_dataflow_mistake(schedule, ordered);
        ASSERT_FALSE(mistake) << "P=" << ranks << " root=" << root << ": " << *mistake;
      }
    }
  }
}

TEST_P(EveryAlgorithm, SaysWhichRankCountsItCannotDo) {
  for (Rank ranks = 1; ranks <= 67; ++ranks) {
    if (!can_do(algorithm(), ranks)) {
      EXPECT_ANY_THROW((void)build_schedule(algorithm(), {.ranks = ranks}));
    }
  }
}

/// The number of blocks that all ranks hold together, at most: what following P ranks costs.
Index held_blocks(Collective collective, Rank ranks) {
  return collective == Collective::kAlltoall ? Index{ranks} * ranks : ranks;
}

/// As many ranks as a test can follow: an alltoall among 4096 moves 16 million blocks of 16 million kinds, and where
/// all send to all at once, 16 million messages are in flight. A prime where the algorithm takes any number. A ring of
/// 4093 takes a minute and 250 times as long as one of 251.
Rank many_ranks(const Algorithm& algorithm) {
  if (!test::is_exhaustive()) {
    return algorithm.rank_rule == RankRule::kAny ? 251 : 256;
  }
  const Rank many = algorithm.rank_rule == RankRule::kAny ? 4093 : 4096;
  const Traffic traffic = traffic_of(build_schedule(algorithm, {.ranks = many}));
  const bool at_once = traffic.messages > Index{many} * 64 * std::max<Index>(traffic.rounds, 1);
  return at_once || held_blocks(algorithm.collective, many) > many ? many / 8 : many;
}

TEST_P(EveryAlgorithm, IsCorrectForManyRanks) {
  const bool ordered = algorithm().keeps_order;
  const auto mistake = find_dataflow_mistake(
      build_schedule(algorithm(),
                     {.ranks = many_ranks(algorithm()), .root = 5, .bytes = 4096, .commutative = !ordered}),
      ordered);
  EXPECT_FALSE(mistake) << *mistake;
}

/// Any number of ranks, root, size, segment, parameters, and sizes of blocks where the collective has them.
ScheduleRequest any_request(const Algorithm& algorithm) {
  const Rank ranks = *rc::gen::suchThat(rc::gen::inRange(1, 68), [&](Rank p) { return can_do(algorithm, p); });
  const Bytes element = *rc::gen::element<Bytes>(1, 4, 8);
  ScheduleRequest request{.ranks = ranks,
                          .root = *rc::gen::inRange(0, ranks),
                          .bytes = element * *rc::gen::inRange<Bytes>(0, 5000),
                          .element_bytes = element,
                          .segment_bytes = *rc::gen::inRange<Bytes>(0, 3000),
                          .commutative = !*rc::gen::elementOf(orders(algorithm))};
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    const Index most = std::min<Index>(parameter.maximum, 9);
    request.parameters.emplace(parameter.name, *rc::gen::inRange(parameter.minimum, most + 1));
  }
  if (const Index listed = defined_blocks(algorithm.collective, ranks); listed > 0 && *rc::gen::arbitrary<bool>()) {
    for (Index block = 0; block < listed; ++block) {
      request.block_bytes.push_back(element * (block * block * 7 % 11 % 5));
    }
  }
  return request;
}

TEST_P(EveryAlgorithm, IsCorrectForUnevenBlocksInSegments) {
  const bool holds = rc::check([] {
    const ScheduleRequest request = any_request(algorithm());
    const auto mistake = find_dataflow_mistake(build_schedule(algorithm(), request), !request.commutative);
    if (mistake) {
      RC_FAIL(*mistake);
    }
  });
  EXPECT_TRUE(holds);
}

INSTANTIATE_TEST_SUITE_P(All, EveryAlgorithm, testing::Range<std::size_t>(0, algorithms().size()),
                         [](const auto& param) {
                           const Algorithm& algorithm = algorithms()[param.param];
                           std::string name =
                               std::string(name_of(algorithm.collective)) + "_" + std::string(algorithm.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace postage
