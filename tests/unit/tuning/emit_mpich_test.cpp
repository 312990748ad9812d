#include "tuning/emit/mpich/tree.hpp"

#include <postage/tuning/emit.hpp>
#include <postage/tuning/lint.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace postage {
namespace {

MpichNode one_of(const std::string& name) {
  return mpich_leaf("Bcast_intra_" + name);
}

TEST(MpichRanges, AskForASizeOnlyWhereNeighboursDiffer) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{100, tree}, {2000, tree}, {1L << 40, ring}}),
            mpich_chain({{"avg_msg_size<=2000", tree}, {"avg_msg_size=any", ring}}));
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{100, tree}, {1L << 40, tree}}), tree);
}

TEST(MpichRanges, OfShortMessagesAreAskedForFirst) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{9999, tree}, {20000, ring}, {300000, tree}, {1L << 40, ring}}),
            mpich_chain({{"avg_msg_size<=9999", tree},
                         {"avg_msg_size=any",
                          mpich_chain({{"avg_msg_size<=20000", ring},
                                       {"avg_msg_size=any", mpich_chain({{"avg_msg_size<=300000", tree},
                                                                         {"avg_msg_size=any", ring}})}})}}));
}

TEST(MpichRanges, OfTimesThatAreAlikeAreFoundByHalves) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{20, tree}, {40, ring}, {60, tree}, {1L << 40, ring}}),
            mpich_chain({{"avg_msg_size<=40", mpich_chain({{"avg_msg_size<=20", tree}, {"avg_msg_size=any", ring}})},
                         {"avg_msg_size=any", mpich_chain({{"avg_msg_size<=60", tree}, {"avg_msg_size=any", ring}})}}));
}

/// How many questions stand before the leaf.
int questions_before(const MpichNode& node, const MpichNode& leaf) {
  if (node == leaf) {
    return 0;
  }
  for (const auto& [condition, below] : node.members) {
    if (const int more = questions_before(below, leaf); more >= 0) {
      return 1 + more;
    }
  }
  return -1;
}

TEST(MpichRanges, OfManySizesTakeNoMoreQuestionsThanMpichReads) {
  std::vector<MpichRange> ranges;
  for (int i = 0; i < 60; ++i) {
    ranges.push_back({100 + (Bytes{1} << (i / 2)) + i, mpich_leaf("Bcast", {"chunk_size=" + std::to_string(i)})});
  }
  const MpichNode all = mpich_ranges("avg_msg_size", ranges);
  for (const MpichRange& range : ranges) {
    const int questions = questions_before(all, range.node);
    EXPECT_TRUE(1 <= questions && questions <= 7) << questions << " before the one up to " << range.last;
  }
  EXPECT_EQ(mpich_levels(all), 7 + 3) << "and an algorithm with its parameter, which has an object, too";
}

/// Every algorithm of a collective in turn, among ever other numbers of ranks and sizes, the default between them.
std::vector<DecisionRule> many_rules(Collective collective, const LibraryVersion& version) {
  const auto known = known_algorithms(TuningTarget::kMpich, version, collective);
  std::vector<DecisionRule> rules;
  for (Rank ranks = 2; ranks < 20 && !known.empty(); ++ranks) {
    for (Bytes bytes = 16; bytes < (1 << 24); bytes *= 2) {
      const LibraryAlgorithm& one = *known[rules.size() % known.size()];
      if (!can_do(one, ranks)) {
        continue;
      }
      DecisionRule& rule = rules.emplace_back();
      rule.collective = collective;
      rule.communicators = {{1}, {ranks, ranks}};
      rule.bytes = {bytes, bytes + bytes / 2};
      rule.choice = {std::string(one.ours), std::string(one.name), one.takes_segment ? Bytes{4096} : Bytes{0}};
      if (!one.fan_out.empty()) {
        rule.choice.parameters[std::string(one.fan_out)] = 2;
      }
    }
  }
  return rules;
}

TEST(EmitMpich, WritesNoMoreLevelsThanMpichReads) {
  for (const LibraryVersion& version : {LibraryVersion{4, 0, 2}, LibraryVersion{4, 3, 0}}) {
    for (int number = 0; number <= static_cast<int>(Collective::kExscan); ++number) {
      const auto collective = static_cast<Collective>(number);
      const DecisionTable table(TuningTarget::kMpich, version, many_rules(collective, version));
      for (const EmittedFile& file : emit({&table, 1}, {.folder = "/opt/tuned"}).files) {
        if (file.path.starts_with("mpich/") && file.path.ends_with(".json")) {
          const LintReport report = lint(file.text, TuningFormat::kMpichJson, {.mpich = version});
          EXPECT_TRUE(report.findings.empty()) << name_of(collective) << lint_text(report, file.path).substr(0, 300);
        }
      }
    }
  }
}

TEST(MpichRanges, EndWhereMpichsSizesDo) {
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_ranges("avg_msg_size", {{100, tree}, {1L << 32, ring}, {1L << 40, tree}}),
            mpich_chain({{"avg_msg_size<=100", tree}, {"avg_msg_size=any", ring}}));
}

TEST(MpichDefault, AsksNothingInVainWithinARangeOfSizes) {
  const MpichNode usual = mpich_default("bcast", {4, 0, 2});
  const MpichNode short_ones = mpich_within(usual, "avg_msg_size", {0, 12288});
  const MpichNode tree = one_of("binomial");
  EXPECT_EQ(short_ones, tree) << "for any number of ranks";

  const MpichNode ring = one_of("scatter_ring_allgather");
  const MpichNode doubling = one_of("scatter_recursive_doubling_allgather");
  EXPECT_EQ(
      mpich_within(usual, "avg_msg_size", {12289, 600000}),
      mpich_chain({{"comm_size<=7", tree},
                   {"comm_size=pow2", mpich_chain({{"avg_msg_size<=524288", doubling}, {"avg_msg_size=any", ring}})},
                   {"comm_size=any", ring}}));
  EXPECT_EQ(mpich_within(usual, "total_msg_size", {0, 100}), usual) << "a size of another kind";
}

TEST(MpichDefault, AsksNothingInVainOfKnownRanks) {
  const MpichNode usual = mpich_default("bcast", {4, 0, 2});
  const MpichNode tree = one_of("binomial");
  const MpichNode ring = one_of("scatter_ring_allgather");
  EXPECT_EQ(mpich_within(usual, "comm_size", {2, 2}), tree);
  EXPECT_EQ(mpich_within(usual, "comm_size", {12, 12}),
            mpich_chain({{"avg_msg_size<=12288", tree}, {"avg_msg_size=any", ring}}));
  EXPECT_EQ(mpich_within(usual, "comm_size", {16, 16}).members.size(), 3U);
  EXPECT_EQ(mpich_within(usual, "comm_size", {8, 20}).members.front().first, "comm_size=pow2");
}

TEST(MpichDefault, KnowsABoundThatIsNotReached) {
  const MpichNode usual = mpich_default("allgather", {4, 0, 2});  // total_msg_size<524288
  const auto doubled = [&](Bytes last) {
    return mpich_within(usual, "total_msg_size", {0, last}).members.front().second;
  };
  EXPECT_EQ(doubled(524287), mpich_leaf("Allgather_intra_recursive_doubling"));
  EXPECT_EQ(doubled(524288).members.size(), 2U);
}

}  // namespace
}  // namespace postage
