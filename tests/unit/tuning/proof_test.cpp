#include "tuning/prove/default_choices.hpp"

#include <postage/base/error.hpp>
#include <postage/tuning/proof.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace postage {
namespace {

DecisionTable table_of(TuningTarget target, const char* ours, const char* name, Bytes segment = 0,
                       ParameterValues parameters = {}) {
  return {target,
          target == TuningTarget::kMpich ? LibraryVersion{4, 0, 2} : LibraryVersion{4, 1, 4},
          {{.collective = Collective::kBcast,
            .communicators = {{1}, {2}},
            .choice = {ours, name, segment, std::move(parameters)}}}};
}

ProofRow judged(const DecisionTable& table, const std::string& trace) {
  return judge(table, {&table.rules().front(), 4, 1024}, parse_trace(trace));
}

TEST(Proof, ReadsTraces) {
  EXPECT_EQ(parse_trace("bcast chain 8192 2 0;bcast pipeline 8192 0 1;"),
            (std::vector<SeenAlgorithm>{{"bcast chain", 8192, 2, 0}, {"bcast pipeline", 8192, 0, 1}}));
  EXPECT_TRUE(parse_trace("").empty());
  EXPECT_THROW((void)parse_trace("bcast;"), Error);
  EXPECT_THROW((void)parse_trace("bcast chain two 3 4;"), Error);
}

TEST(Proof, ComparesAlgorithmSegmentAndFanOut) {
  const DecisionTable chain = table_of(TuningTarget::kOpenMpi, "chain", "chain", 8192, {{"chains", 2}});
  EXPECT_EQ(judged(chain, "bcast chain 8192 2 0;").verdict, ProofVerdict::kInForce);
  EXPECT_EQ(judged(chain, "bcast chain 4096 2 0;").reason, "its segment is 4096 instead of 8192");
  EXPECT_EQ(judged(chain, "bcast chain 8192 4 0;").reason, "its fan-out is 4 instead of 2");
  EXPECT_EQ(judged(chain, "bcast binomial 8192 0 0;").verdict, ProofVerdict::kNotInForce);
  EXPECT_EQ(judged(chain, "bcast chain 8192 2 0;bcast basic_linear 0 0 1;").verdict, ProofVerdict::kNotInForce);
  EXPECT_EQ(judged(chain, "bcast chain 8192 2 0;barrier bruck 0 0 1;").verdict, ProofVerdict::kInForce);
  EXPECT_NE(judged(chain, "").reason.find("coll/tuned was not called"), std::string::npos);
}

TEST(Proof, SeesWhatMpichsNbRuns) {
  const DecisionTable tree = table_of(TuningTarget::kMpich, "knomial", "nb+tsp_tree+knomial_1", 4096, {{"radix", 2}});
  EXPECT_EQ(judged(tree, "MPIR_Bcast_allcomm_nb 0 0 0;MPIR_TSP_Ibcast_sched_intra_tree 4096 2 1;").verdict,
            ProofVerdict::kInForce);
  EXPECT_NE(judged(tree, "MPIR_Bcast_allcomm_nb 0 0 0;").reason.find("did not run within it"), std::string::npos);
  const DecisionTable binomial = table_of(TuningTarget::kMpich, "binomial", "binomial");
  EXPECT_EQ(judged(binomial, "MPIR_Bcast_intra_binomial 0 0 0;").verdict, ProofVerdict::kInForce);
  EXPECT_EQ(judged(binomial, "MPIR_Bcast_intra_smp 0 0 0;MPIR_Bcast_intra_binomial 0 0 1;").verdict,
            ProofVerdict::kNotInForce);
}

TEST(Proof, KnowsMpichsAlgorithmFromItsTrace) {
  const auto seen = [](Collective collective, const std::string& trace) {
    const auto choice = choice_seen(TuningTarget::kMpich, {4, 0, 2}, collective, parse_trace(trace));
    return choice ? choice->library_name : "";
  };
  EXPECT_EQ(seen(Collective::kBcast, "MPIR_Bcast_intra_binomial 0 0 0;MPIR_Bcast_intra_binomial 0 0 0;"), "binomial");
  EXPECT_EQ(seen(Collective::kAlltoall, "MPIR_Alltoall_intra_scattered 0 0 0;"), "scattered");
  EXPECT_EQ(seen(Collective::kAllreduce, "MPIR_Allreduce_intra_reduce_scatter_allgather 0 0 0;"),
            "reduce_scatter_allgather");
  EXPECT_EQ(seen(Collective::kBcast, "MPIR_Bcast_intra_smp 0 0 0;MPIR_Bcast_intra_binomial 0 0 1;"), "");
  EXPECT_EQ(seen(Collective::kBcast, "MPIR_Bcast_allcomm_nb 0 0 0;MPIR_TSP_Ibcast_sched_intra_tree 4096 2 0;"), "");
  EXPECT_EQ(seen(Collective::kReduce, "MPIR_Bcast_intra_binomial 0 0 0;"), "");
  EXPECT_EQ(seen(Collective::kBcast, ""), "");
}

TEST(Proof, TriesTheEndsOfARule) {
  const DecisionTable table(TuningTarget::kOpenMpi, {4, 1, 4},
                            {{.collective = Collective::kAllgather,
                              .communicators = {{1}, {2, 100}},
                              .bytes = {100, 4000},
                              .choice = {"recursive-doubling", "recursive_doubling"}}});
  std::vector<std::string> words;
  for (const ProofCall& call : proof_calls(table, {.most_ranks = 7})) {
    words.push_back(std::to_string(call.ranks) + ":" + std::to_string(call.bytes));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"2:104", "2:640", "2:4000", "4:104", "4:640", "4:4000", "2:96", "2:4008",
                                             "4:96", "4:4008"}))
      << "and beside it";
}

TEST(Proof, TriesNothingBesideARuleWhereAnotherHolds) {
  const DecisionChoice choice{"ring", "ring"};
  const DecisionTable table(
      TuningTarget::kOpenMpi, {4, 1, 4},
      {{.collective = Collective::kAllgather, .communicators = {{1}, {3, 3}}, .bytes = {0, 999}, .choice = choice},
       {.collective = Collective::kAllgather,
        .communicators = {{1}, {3, 3}},
        .bytes = {1000, 1999},
        .choice = choice}});
  std::vector<std::string> beside;
  for (const ProofCall& call : proof_calls(table, {})) {
    if (call.is_beside) {
      beside.push_back(std::to_string(call.ranks) + ":" + std::to_string(call.bytes));
    }
  }
  EXPECT_EQ(beside, (std::vector<std::string>{"2:8", "4:8", "3:2000", "2:1000", "4:1000"}));
}

TEST(Proof, ComparesCallsBesideARuleWithTheDefault) {
  const DecisionTable binomial = table_of(TuningTarget::kMpich, "binomial", "binomial");
  const ProofCall call{&binomial.rules().front(), 4, 1024, true};
  const auto usual = parse_trace("MPIR_Bcast_intra_smp 0 0 0;");
  EXPECT_EQ(judge_beside(call, usual, usual).verdict, ProofVerdict::kInForce);
  const ProofRow row = judge_beside(call, parse_trace("MPIR_Bcast_intra_binomial 0 0 0;"), usual);
  EXPECT_EQ(row.verdict, ProofVerdict::kNotInForce);
  EXPECT_EQ(row.reason, "no rule holds there, and without the files MPIR_Bcast_intra_smp runs");
}

}  // namespace
}  // namespace postage
