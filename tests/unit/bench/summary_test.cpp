// What the repetitions of a message benchmark say together.
#include <postage/base/json.hpp>
#include <postage/bench/messages.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

BenchRepetition repetition_of(Seconds line_least, Seconds line_most, Seconds ours, Seconds others) {
  BenchRepetition repetition{.line_least = line_least, .line_most = line_most};
  repetition.runs["shm"][{"latency", 8}] = ours;
  repetition.runs["mpich"][{"latency", 8}] = others;
  return repetition;
}

MessageBench bench_of(std::vector<BenchRepetition> repetitions) {
  return {.plan = {.experiments = {"latency"}, .sizes = {8}}, .repetitions = std::move(repetitions)};
}

TEST(MessageBench, KeepsLocalityLevelsApart) {
  const MessageBench bench =
      bench_of({repetition_of(160e-9, 170e-9, 3e-6, 4e-6), repetition_of(40e-9, 50e-9, 1e-6, 4e-6),
                repetition_of(41e-9, 160e-9, 9e-6, 1e-6), repetition_of(60e-9, 61e-9, 1e-6, 2e-6),
                repetition_of(250e-9, 260e-9, 6e-6, 4e-6)});
  const std::vector<MessageBench> parts = by_line_time(bench);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].repetitions.size(), 2U);
  EXPECT_EQ(parts[1].repetitions.size(), 2U);
  EXPECT_DOUBLE_EQ(line_time_of(parts[0]), 50e-9);
  EXPECT_DOUBLE_EQ(line_time_of(parts[1]), 205e-9);
  EXPECT_DOUBLE_EQ(summarise(parts[0]).at(0).to_best->median, 0.375);
  EXPECT_DOUBLE_EQ(summarise(parts[1]).at(0).to_best->median, 1.125);
  EXPECT_EQ(to_json(bench)["rows"].size(), 2U);
  EXPECT_NE(markdown_of(bench).find("takes 50 ns between: 2 repetitions"), std::string::npos);
  EXPECT_NE(markdown_of(bench).find("takes 205 ns between: 2 repetitions"), std::string::npos);
}

/// Three repetitions in which each of two others is lucky once: the best one is the one that mostly is.
TEST(MessageBench, ComparesWithTheBestProgramAndWithTheLuckiest) {
  std::vector<BenchRepetition> repetitions;
  for (const auto& [mpich, openmpi] : {std::pair(2e-6, 3e-6), std::pair(5e-6, 3e-6), std::pair(5e-6, 1e-6)}) {
    repetitions.push_back(repetition_of(40e-9, 50e-9, 3e-6, mpich));
    repetitions.back().runs["openmpi"][{"latency", 8}] = openmpi;
  }
  const MessageBench bench = bench_of(repetitions);
  const BenchRow row = summarise(bench).at(0);
  EXPECT_EQ(row.best_other, "openmpi");
  EXPECT_DOUBLE_EQ(row.to_best->median, 1);
  EXPECT_DOUBLE_EQ(row.to_best->upper, 2);
  EXPECT_DOUBLE_EQ(row.to_least->median, 1.5);
  EXPECT_NE(markdown_of(bench).find("1.00 [1.00, 2.00] openmpi | 1.50 [1.25, 2.25]"), std::string::npos)
      << markdown_of(bench);
  EXPECT_EQ(to_json(bench)["rows"][0]["best_other"], "openmpi");
}

TEST(MessageBench, SaysNothingOfOthersWhereNoneRan) {
  BenchRepetition alone{.line_least = 40e-9, .line_most = 50e-9};
  alone.runs["shm"][{"latency", 8}] = 1e-6;
  const BenchRow row = summarise(bench_of({alone})).at(0);
  EXPECT_EQ(row.best_other, "");
  EXPECT_FALSE(row.to_best || row.to_least || row.to_limit);
}

TEST(MessageBench, CountsAllRoundsWhereNoneWasSteady) {
  const MessageBench bench =
      bench_of({repetition_of(40e-9, 160e-9, 1e-6, 4e-6), repetition_of(40e-9, 160e-9, 1e-6, 2e-6)});
  const std::vector<MessageBench> parts = by_line_time(bench);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].repetitions.size(), 2U);
}

}  // namespace
}  // namespace postage
