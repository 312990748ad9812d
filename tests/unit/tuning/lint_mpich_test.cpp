#include <postage/tuning/lint.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace postage {
namespace {

// Each case was tried with MPICH 4.0.2 on 2 to 4 ranks: it aborted where a finding says so, and ran where none does.

using Found = std::vector<std::string>;

/// Without what a tree of one collective lacks.
Found tree(const std::string& text, const std::string& version = "4.0.2") {
  Found names;
  for (const LintFinding& finding :
       lint(text, TuningFormat::kMpichJson, parse_lint_versions(version, TuningFormat::kMpichJson)).findings) {
    if (finding.check != "missing-collectives" && finding.check != "intercommunicators") {
      names.push_back(finding.check);
    }
  }
  return names;
}

std::string algorithm(const std::string& name) {
  return "{\"algorithm=MPIR_" + name + "\":{}}";
}

Found intra(const std::string& collective, const std::string& rules, const std::string& version = "4.0.2") {
  return tree("{\"collective=" + collective + "\":{\"comm_type=intra\":{" + rules + "}}}", version);
}

const std::string kBinomial = algorithm("Bcast_intra_binomial");

TEST(LintMpich, FindsNothingInASoundTree) {
  EXPECT_EQ(intra("bcast", "\"comm_size<=2\":" + kBinomial + ",\"comm_size=any\":{\"avg_msg_size<=1024\":" + kBinomial +
                               ",\"avg_msg_size=any\":" + algorithm("Bcast_intra_scatter_ring_allgather") + "}"),
            Found{});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size<=10\":" + kBinomial + ",\"comm_size=any\":" + kBinomial), Found{});
  EXPECT_EQ(tree("{\"comm_type=intra\":{\"collective=bcast\":{\"avg_msg_size=any\":" + kBinomial + "}}}"), Found{});
}

TEST(LintMpich, FindsWhatMpiInitAbortsOn) {
  EXPECT_EQ(intra("bcast", "\"avg_msg_size<=100\":" + kBinomial), Found{"no-any"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size=any\":" + kBinomial + ",\"avg_msg_size<=10\":" + kBinomial),
            Found{"behind-any"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_siz<=10\":" + kBinomial + ",\"avg_msg_size=any\":" + kBinomial), Found{"key"});
  EXPECT_EQ(intra("bcast", "\"any\":" + kBinomial), Found{"key"});
  EXPECT_EQ(intra("bcast", "\"comm_avg_ppn<=1\":" + kBinomial + ",\"comm_avg_ppn=any\":" + kBinomial), Found{"key"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size=any\":{}"), Found{"empty"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size=any\":3"), Found{"structure"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size=any\":" + algorithm("Bcast_intra_nothing")), Found{"algorithm"});
  EXPECT_EQ(tree("{\"collective=bcst\":{\"comm_type=intra\":" + kBinomial + "}}"), Found{"collective"});
  EXPECT_EQ(tree("{\"collective=bcast\":{"), Found{"syntax"});
  EXPECT_EQ(tree(""), Found{"syntax"});
  EXPECT_EQ(tree("[]"), Found{"structure"});
  EXPECT_EQ(tree("{}"), Found{"empty"});
}

TEST(LintMpich, FindsWhatTheFirstCallAbortsOn) {
  EXPECT_EQ(intra("allgather", "\"avg_msg_size<=10\":" + algorithm("Allgather_intra_ring") +
                                   ",\"avg_msg_size=any\":" + algorithm("Allgather_intra_ring")),
            Found{"undefined-key"});
  EXPECT_EQ(intra("bcast", "\"is_op_built_in=yes\":" + kBinomial + ",\"is_op_built_in=no\":" + kBinomial),
            (Found{"undefined-key", "undefined-key"}));
  EXPECT_EQ(intra("bcast", "\"comm_size=any\":" + algorithm("Allreduce_intra_recursive_doubling")), Found{"algorithm"});
  EXPECT_EQ(intra("alltoall", "\"is_sendbuf_inplace=no\":" + algorithm("Alltoall_intra_pairwise")),
            Found{"not-covered"});
  EXPECT_EQ(tree("{\"collective=bcast\":{\"comm_type=inter\":" + kBinomial + "}}"),
            (Found{"not-covered", "comm-type"}));
}

TEST(LintMpich, AsksForTheGuardsOfAlgorithms) {
  EXPECT_EQ(intra("allgather", "\"comm_size=any\":" + algorithm("Allgather_intra_recursive_doubling")),
            Found{"needs-power-of-two"});
  EXPECT_EQ(intra("allgather", "\"comm_size=pow2\":" + algorithm("Allgather_intra_recursive_doubling") +
                                   ",\"comm_size=any\":" + algorithm("Allgather_intra_ring")),
            Found{});
  EXPECT_EQ(intra("allgather", "\"comm_size<=2\":" + algorithm("Allgather_intra_recursive_doubling") +
                                   ",\"comm_size=any\":" + algorithm("Allgather_intra_ring")),
            Found{});
  EXPECT_EQ(intra("allreduce", "\"comm_size=any\":" + algorithm("Allreduce_intra_reduce_scatter_allgather")),
            (Found{"needs-count", "needs-operation"}));
  EXPECT_EQ(
      intra("allreduce", "\"is_op_built_in=yes\":{\"count<pow2\":" + algorithm("Allreduce_intra_recursive_doubling") +
                             ",\"count=any\":" + algorithm("Allreduce_intra_reduce_scatter_allgather") +
                             "},\"is_op_built_in=no\":" + algorithm("Allreduce_intra_recursive_doubling")),
      Found{});
  EXPECT_EQ(intra("reduce_scatter", "\"comm_size=any\":" + algorithm("Reduce_scatter_intra_recursive_halving")),
            Found{"needs-commutative"});
  EXPECT_EQ(intra("reduce_scatter", "\"comm_size=any\":" + algorithm("Reduce_scatter_intra_noncommutative")),
            (Found{"needs-power-of-two", "needs-equal-blocks"}));
  EXPECT_EQ(intra("alltoall", "\"comm_size=any\":" + algorithm("Alltoall_intra_brucks")), Found{"needs-in-place"});
  EXPECT_EQ(intra("bcast", "\"comm_size=any\":" + algorithm("Bcast_intra_smp")), Found{"needs-hierarchy"});
}

TEST(LintMpich, SaysWhatIsNeverReached) {
  EXPECT_EQ(intra("bcast", "\"avg_msg_size<=100\":" + kBinomial + ",\"avg_msg_size<100\":" + kBinomial +
                               ",\"avg_msg_size=any\":" + kBinomial),
            Found{"unsorted"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size<=64K\":" + kBinomial + ",\"avg_msg_size=any\":" + kBinomial),
            Found{"number"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size<=4294967306\":" + kBinomial + ",\"avg_msg_size=any\":" + kBinomial),
            Found{"number"});
  EXPECT_EQ(intra("bcast", "\"avg_msg_size<=10\":{\"comm_size<4\":" + kBinomial + ",\"comm_size=any\":" + kBinomial +
                               "},\"avg_msg_size=any\":" + kBinomial),
            Found{"order-of-keys"});
  EXPECT_EQ(tree("{\"collective=bcast\":{\"comm_type=intra\":" + kBinomial + "}} trailing"), Found{"rest"});
}

TEST(LintMpich, NamesEveryCollectiveThatIsMissing) {
  const LintReport report = lint("{\"collective=bcast\":{\"comm_type=intra\":" + kBinomial + "}}");
  const auto missing = std::ranges::find(report.findings, "missing-collectives", &LintFinding::check);
  ASSERT_NE(missing, report.findings.end());
  EXPECT_NE(missing->what.find("ibarrier"), std::string::npos);
  EXPECT_NE(missing->what.find("reduce_scatter_block"), std::string::npos);
  EXPECT_EQ(missing->what.find("aborts: bcast"), std::string::npos);
}

TEST(LintMpich, KnowsWhatReleasesHave) {
  const std::string dissemination = "\"comm_size=any\":" + algorithm("Barrier_intra_dissemination");
  EXPECT_EQ(intra("barrier", dissemination), Found{});
  EXPECT_EQ(intra("barrier", dissemination, "4.1"), Found{"algorithm"});
  EXPECT_EQ(intra("barrier",
                  R"("comm_avg_ppn<=1":{"algorithm=MPIR_Barrier_intra_k_dissemination":{"k=2":{}}},)"
                  R"("comm_avg_ppn=any":{"algorithm=MPIR_Barrier_intra_k_dissemination":{"k=4":{}}})",
                  "4.1"),
            Found{});
  const auto tree_of = [](const std::string& type) {
    return R"("comm_size=any":{"algorithm=MPIR_Ibcast_intra_tsp_tree":{"tree_type=)" + type +
           R"(":{},"k=2":{},"chunk_size=0":{}}})";
  };
  EXPECT_EQ(intra("ibcast", tree_of("kary"), "4.2"), Found{"tree-type"});
  EXPECT_EQ(intra("ibcast", tree_of("0"), "4.2"), Found{});
  EXPECT_EQ(intra("ibcast", tree_of("kary"), "4.3"), Found{});
}

TEST(LintMpich, ReadsTreesOfCompositions) {
  const std::string gamma = R"({"composition=MPIDI_Allreduce_intra_composition_gamma":{}})";
  const std::string beta = R"({"composition=MPIDI_Allreduce_intra_composition_beta":{}})";
  EXPECT_EQ(intra("allreduce", "\"comm_size=node_comm_size\":" + gamma + ",\"comm_size=any\":" + beta), Found{});
  EXPECT_EQ(intra("allreduce", "\"comm_size=any\":" + gamma), Found{"needs-single-node"});
  const LintReport report = lint("{\"collective=allreduce\":{\"comm_type=intra\":" + beta + "}}");
  EXPECT_TRUE(report.findings.empty());  // the default tree has the others
}

/// A leaf of ibcast's tree with these parameters.
Found tree_with(const std::string& type, const std::string& k, const std::string& chunk) {
  return intra("ibcast", R"("comm_size=any":{"algorithm=MPIR_Ibcast_intra_tsp_tree":{"tree_type=)" + type +
                             R"(":{},"k=)" + k + R"(":{},"chunk_size=)" + chunk + "\":{}}}");
}

TEST(LintMpich, ReadsParametersAsTheLibraryDoes) {
  EXPECT_EQ(tree_with("0", "1", "0"), Found{});
  EXPECT_EQ(tree_with("1", "100", "-1"), Found{});
  EXPECT_EQ(tree_with("0", "0", "0"), Found{"parameter-value"});
  EXPECT_EQ(tree_with("1", "1", "0"), Found{"parameter-value"});
  EXPECT_EQ(tree_with("1", "two", "0"), Found{"parameter-value"});
  EXPECT_EQ(tree_with("3", "2", "0"), Found{"tree-type"});
  EXPECT_EQ(tree_with("-1", "2", "0"), Found{"tree-type"});
  EXPECT_EQ(tree_with("1", "2", "4K"), Found{"parameter-value"});  // 4 bytes
  EXPECT_EQ(tree_with("1", "2", "4096K"), Found{"number"});
  const auto below = [](const std::string& name, const std::string& parameters) {
    return "\"comm_size=any\":{\"algorithm=MPIR_" + name + "\":{" + parameters + "}}";
  };
  EXPECT_EQ(intra("bcast", below("Bcast_intra_binomial", "\"k=4\":{}")), Found{"parameter"});
  EXPECT_EQ(intra("bcast", below("Bcast_intra_binomial", "\"avg_msg_size<=9\":" + kBinomial)), Found{"parameter"});
  EXPECT_EQ(intra("ibcast", below("Ibcast_intra_tsp_ring", "\"chunk_size\":4096")), (Found{"parameter", "parameters"}));
  EXPECT_EQ(intra("ialltoall", below("Ialltoall_intra_tsp_brucks", "\"k=2\":{},\"buffer_per_phase=1\":{}")),
            Found{"unread-parameters"});
  EXPECT_EQ(intra("ialltoall", below("Ialltoall_intra_tsp_brucks", "\"k=2\":{},\"buffer_per_phase=1\":{}"), "4.2"),
            Found{});
  EXPECT_EQ(intra("ireduce", "\"comm_size<=1\":" + algorithm("Ireduce_intra_sched_binomial") + "," +
                                 below("Ireduce_intra_tsp_ring", "\"chunk_size=0\":{}")),
            Found{});
  EXPECT_EQ(intra("ireduce", below("Ireduce_intra_tsp_ring", "\"chunk_size=0\":{}")), Found{"needs-two-ranks"});
}

TEST(LintMpich, ReadsJsonAsJsonCDoes) {
  const std::string sound = "{\"collective=bcast\":{\"comm_type=intra\":" + kBinomial + "}}";
  EXPECT_EQ(tree("// tuned\n" + sound), Found{});
  EXPECT_EQ(tree("/* tuned */" + sound), Found{});
  EXPECT_EQ(tree("# tuned\n" + sound), Found{"syntax"});
  EXPECT_EQ(tree("\xef\xbb\xbf" + sound), Found{"byte-order-mark"});
  EXPECT_EQ(tree("{'collective=bcast':{'comm_type=intra':" + kBinomial + ",},}"), Found{});
  EXPECT_EQ(tree("{\"collective=bcast\":{\"comm_type=intra\":" + kBinomial + ",,}}"), Found{"syntax"});
  EXPECT_EQ(tree("{'collective=bcast"), Found{"syntax"});
  EXPECT_EQ(tree("{\"collective=\\tbcast\":{\"comm_type=intra\":" + kBinomial + "}}"), Found{"collective"});
  for (const char* before : {"// tuned\n", "/* tuned */", "# tuned\n", "\xef\xbb\xbf"}) {
    EXPECT_EQ(detect_tuning_format(std::string(before) + sound), TuningFormat::kMpichJson);
  }
}

TEST(LintMpich, FindsWhatStandsInTheWrongPlace) {
  EXPECT_EQ(intra("bcast",
                  "\"comm_size=any\":{\"algorithm=MPIR_Bcast_intra_binomial\":{},"
                  "\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\":{}}"),
            Found{"siblings"});
  EXPECT_EQ(intra("bcast", "\"algorithm=MPIR_Bcast_intra_binomial\":{},\"comm_size=any\":" + kBinomial),
            Found{"siblings"});
  EXPECT_EQ(
      intra("bcast", "\"collective=reduce\":" + algorithm("Reduce_intra_binomial") + ",\"comm_size=any\":" + kBinomial),
      Found{"never-reached"});
  EXPECT_EQ(intra("bcast", "\"comm_type=inter\":" + kBinomial + ",\"comm_size=any\":" + kBinomial),
            Found{"never-reached"});
  EXPECT_EQ(tree("{\"collective=bcast\":" + kBinomial + "}"), Found{"comm-type"});
  EXPECT_EQ(intra("bcast", "\"comm_size<=pow2\":" + kBinomial + ",\"comm_size=any\":" + kBinomial), Found{"number"});
  EXPECT_EQ(intra("allreduce", "\"comm_size<=2\":" + algorithm("Allreduce_intra_recursive_doubling") +
                                   ",\"comm_size<=4\":" + algorithm("Allreduce_intra_recursive_doubling") +
                                   ",\"comm_size=any\":{\"composition=MPIDI_Allreduce_intra_composition_beta\":{}}"),
            Found{"mixed"});
  EXPECT_EQ(intra("bcast",
                  "\"comm_size=any\":"
                  R"({"algorithm=MPIDI_POSIX_mpi_bcast_release_gather":{}})"),
            Found{});
  EXPECT_EQ(intra("bcast",
                  "\"comm_size=any\":"
                  R"({"algorithm=MPIDI_POSIX_mpi_bcast_gather":{}})"),
            Found{"algorithm"});
}

/// MPICH 4.0.2 was tried: it reads 32 levels of objects, the empty one of an algorithm or of its parameter among them,
/// and aborts at 33.
TEST(LintMpich, FindsTreesThatAreTooDeep) {
  const auto chain = [](int questions, const std::string& leaf) {
    std::string text;
    for (int i = 0; i < questions; ++i) {
      text += fmt::format(
          "\"avg_msg_size<={}\":{{\"algorithm=MPIR_Ibcast_intra_sched_binomial\":{{}}}},"
          "\"avg_msg_size=any\":{{",
          10000 - i);
    }
    return intra("ibcast", "\"comm_hierarchy=any\":{" + text + leaf + std::string(questions + 1, '}'));
  };
  const std::string binomial = R"("algorithm=MPIR_Ibcast_intra_sched_binomial":{})";
  const std::string ring = R"("algorithm=MPIR_Ibcast_intra_tsp_ring":{"chunk_size=4096":{}})";
  EXPECT_EQ(chain(27, binomial), Found{});
  EXPECT_EQ(chain(28, binomial), Found{"depth"});
  EXPECT_EQ(chain(26, ring), Found{});
  EXPECT_EQ(chain(27, ring), Found{"depth"});
}

TEST(LintMpich, SurvivesHostileText) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "{\"comm_size=any\":";
  }
  for (const std::string& text :
       {deep, std::string("{\"collective=\":{}}"), std::string("{\"algorithm=\":{}}"),
        std::string("{\"comm_size<=99999999999999999999\":{}}"), std::string("{\"\":{}}"), std::string(64, '\0')}) {
    EXPECT_NO_THROW((void)lint(text, TuningFormat::kMpichJson));
  }
}

}  // namespace
}  // namespace postage
