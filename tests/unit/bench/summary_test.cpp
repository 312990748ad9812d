// What the rounds of a message benchmark say together.
#include <postage/bench/messages.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace postage {
namespace {

BenchRound round_of(Seconds line_least, Seconds line_most, Seconds ours, Seconds others) {
  BenchRound round{.line_least = line_least, .line_most = line_most};
  round.runs["channel"][{"latency", 8}] = ours;
  round.runs["mpich"][{"latency", 8}] = others;
  return round;
}

MessageBench bench_of(std::vector<BenchRound> rounds) {
  return {.plan = {.experiments = {"latency"}, .sizes = {8}}, .rounds = std::move(rounds)};
}

TEST(MessageBench, KeepsNearAndFarCoresApart) {
  const MessageBench bench = bench_of({round_of(160e-9, 170e-9, 3e-6, 4e-6), round_of(40e-9, 50e-9, 1e-6, 4e-6),
                                       round_of(41e-9, 160e-9, 9e-6, 1e-6), round_of(60e-9, 61e-9, 1e-6, 2e-6),
                                       round_of(250e-9, 260e-9, 6e-6, 4e-6)});
  const std::vector<MessageBench> parts = by_distance(bench);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].rounds.size(), 2U);
  EXPECT_EQ(parts[1].rounds.size(), 2U);
  EXPECT_DOUBLE_EQ(line_time_of(parts[0]), 50e-9);
  EXPECT_DOUBLE_EQ(line_time_of(parts[1]), 205e-9);
  EXPECT_DOUBLE_EQ(summarise(parts[0]).at(0).to_best->median, 0.375);
  EXPECT_DOUBLE_EQ(summarise(parts[1]).at(0).to_best->median, 1.125);
  EXPECT_EQ(to_json(bench).at("rows").size(), 2U);
  EXPECT_NE(markdown_of(bench).find("takes 50 ns between: 2 rounds"), std::string::npos);
  EXPECT_NE(markdown_of(bench).find("takes 205 ns between: 2 rounds"), std::string::npos);
}

TEST(MessageBench, CountsAllRoundsWhereNoneWasSteady) {
  const MessageBench bench = bench_of({round_of(40e-9, 160e-9, 1e-6, 4e-6), round_of(40e-9, 160e-9, 1e-6, 2e-6)});
  const std::vector<MessageBench> parts = by_distance(bench);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].rounds.size(), 2U);
}

}  // namespace
}  // namespace postage
