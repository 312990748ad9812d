#include <postage/base/error.hpp>
#include <postage/tuning/decision_table.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

DecisionRule rule_of(CommunicatorSpan communicators, Span<Bytes> bytes, const std::string& algorithm = "binomial") {
  return {
      .collective = Collective::kBcast,
      .communicators = communicators,
      .bytes = bytes,
      .choice = {.algorithm = algorithm, .library_name = "binomial", .segment = 8192, .parameters = {{"chains", 2}}},
      .predicted = 1e-6,
      .predicted_interval = {0.9e-6, 1.1e-6},
      .default_seconds = 2e-6,
      .gain = {.share = 0.5, .interval = {0.4, 0.6}, .source = GainSource::kMeasured, .pairs = 20, .sign_test = 0.01}};
}

DecisionTable example() {
  DecisionTable table(
      TuningTarget::kMpich, {4, 0, 2},
      {rule_of({{2, 4}, {5, 16}}, {0, 1023}), rule_of({{2, 4}, {5, 16}}, {4096}, "scatter-rd-allgather"),
       rule_of({{2, 4}, {17, 32}}, {8, 16}), rule_of({{1, 1}, {2, 2}}, {0})});
  table.platform = "here";
  table.dropped.push_back({rule_of({}, {}), "the gain is within noise"});
  table.cells.push_back({.ranks = 4, .bytes = 8, .choice = {}, .tuned_seconds = 1, .default_seconds = 2});
  return table;
}

std::string algorithm_at(const DecisionTable& table, Rank ranks, std::int32_t nodes, Bytes bytes) {
  const DecisionRule* const rule = table.lookup(Collective::kBcast, ranks, nodes, bytes);
  return rule == nullptr ? "" : rule->choice.algorithm;
}

TEST(DecisionTable, FindsTheRuleThatHolds) {
  const DecisionTable table = example();
  EXPECT_EQ(algorithm_at(table, 5, 2, 0), "binomial");
  EXPECT_EQ(algorithm_at(table, 16, 4, 1023), "binomial");
  EXPECT_EQ(algorithm_at(table, 16, 4, 1 << 30), "scatter-rd-allgather");
  EXPECT_EQ(algorithm_at(table, 17, 3, 8), "binomial");
  EXPECT_EQ(algorithm_at(table, 2, 1, 7), "binomial");
}

TEST(DecisionTable, LeavesTheDefaultElsewhere) {
  const DecisionTable table = example();
  EXPECT_EQ(algorithm_at(table, 16, 4, 1024), "");
  EXPECT_EQ(algorithm_at(table, 17, 3, 17), "");
  EXPECT_EQ(algorithm_at(table, 33, 4, 8), "");
  EXPECT_EQ(algorithm_at(table, 4, 2, 8), "");
  EXPECT_EQ(algorithm_at(table, 8, 5, 8), "");
  EXPECT_EQ(algorithm_at(table, 3, 1, 8), "");
  EXPECT_EQ(table.lookup(Collective::kAlltoall, 16, 4, 8), nullptr);
  EXPECT_EQ(DecisionTable().lookup(Collective::kBcast, 2, 1, 8), nullptr);
}

TEST(DecisionTable, IsReadAsItWasWritten) {
  const DecisionTable table = example();
  EXPECT_EQ(decisions_from_json(Json::parse(to_json(table).dump()), "file"), table);
}

TEST(DecisionTable, RefusesRulesThatOverlap) {
  const auto table_of = [](const DecisionRule& a, const DecisionRule& b) {
    return DecisionTable(TuningTarget::kOpenMpi, {4, 1, 4}, {a, b});
  };
  EXPECT_THROW(table_of(rule_of({{1, 1}, {2, 8}}, {0, 9}), rule_of({{1, 1}, {2, 8}}, {9, 20})), Error);
  EXPECT_THROW(table_of(rule_of({{1, 1}, {2, 8}}, {0, 9}), rule_of({{1, 1}, {8, 9}}, {10, 20})), Error);
  EXPECT_THROW(table_of(rule_of({{1, 2}, {2, 8}}, {0, 9}), rule_of({{2, 2}, {9, 9}}, {10, 20})), Error);
  EXPECT_THROW(table_of(rule_of({{1, 1}, {3, 2}}, {0}), rule_of({{2, 2}, {9, 9}}, {0})), Error);
}

TEST(DecisionTable, AWrongFileIsRefusedByName) {
  const auto refuses = [](const char* field, const Json& wrong) {
    Json value = to_json(example());
    value[field] = wrong;
    EXPECT_THROW(static_cast<void>(decisions_from_json(value, "file")), Error) << field;
  };
  refuses("format", "postage-platform");
  refuses("version", kDecisionsVersion + 1);
  refuses("target", "lam");
  refuses("target_version", "new");
  refuses("rules", 3);
  Json value = to_json(example());
  value["rules"][std::size_t{0}]["choice"]["algorithm"] = "guess";
  EXPECT_THROW(static_cast<void>(decisions_from_json(value, "file")), Error);
  value = to_json(example());
  for (const Json& wrong : {Json::array({9, 3}), Json::array({nullptr, 3}), Json::array({-1, 3})}) {
    value["rules"][std::size_t{0}]["bytes"] = wrong;
    EXPECT_THROW(static_cast<void>(decisions_from_json(value, "file")), Error) << wrong.dump();
  }
}

TEST(DecisionTable, CountsBytesOfOneRankOrOfAll) {
  EXPECT_EQ(total_bytes(Collective::kAllgather, 8, 100), 800);
  EXPECT_EQ(total_bytes(Collective::kAllreduce, 8, 100), 100);
  EXPECT_EQ(by_rank(Collective::kAlltoall, 8, 807), 100);
  EXPECT_EQ(by_rank(Collective::kReduceScatter, 8, 807), 807);
}

}  // namespace
}  // namespace postage
