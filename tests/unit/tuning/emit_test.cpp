#include <postage/base/error.hpp>
#include <postage/tuning/emit.hpp>
#include <postage/tuning/lint.hpp>
#include <postage/tuning/retarget.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace postage {
namespace {

using enum Collective;
using enum TuningTarget;

constexpr Bytes kEnd = std::numeric_limits<Bytes>::max();
constexpr Rank kRanksEnd = std::numeric_limits<Rank>::max();

struct Where {
  Span<Rank> ranks{2};
  Span<Bytes> bytes{};
  Bytes segment = 0;
  ParameterValues parameters{};
  Span<std::int32_t> nodes{1};
};

DecisionRule rule(Collective collective, const char* ours, const char* name, const Where& where = {}) {
  return {.collective = collective,
          .communicators = {where.nodes, where.ranks},
          .bytes = where.bytes,
          .choice = {ours, name, where.segment, where.parameters}};
}

DecisionTable open_mpi(std::vector<DecisionRule> rules, const LibraryVersion& version = {4, 1, 4}) {
  return {kOpenMpi, version, std::move(rules)};
}

std::string file_of(const EmittedFiles& emitted, const std::string& path) {
  const auto found = std::ranges::find(emitted.files, path, &EmittedFile::path);
  return found == emitted.files.end() ? "no " + path : found->text;
}

EmittedFiles emit_one(const DecisionTable& table) {
  return emit({&table, 1}, {.folder = "/opt/tuned"});
}

TEST(LibraryBytes, IsWhatEachLibraryCounts) {
  // A communicator of 8 ranks, 1,000 bytes of doubles as ScheduleRequest counts them; worked out by hand.
  EXPECT_EQ(library_bytes(kOpenMpi, kBcast, 8, 1000, 8), 1000);
  EXPECT_EQ(library_bytes(kOpenMpi, kAllreduce, 8, 1000, 8), 1000);
  EXPECT_EQ(library_bytes(kOpenMpi, kReduce, 8, 1000, 8), 1000);
  EXPECT_EQ(library_bytes(kOpenMpi, kReduceScatter, 8, 1000, 8), 1000);  // sum(recvcounts) * type
  EXPECT_EQ(library_bytes(kOpenMpi, kAllgather, 8, 1000, 8), 8000);
  EXPECT_EQ(library_bytes(kOpenMpi, kAlltoall, 8, 1000, 8), 8000);
  EXPECT_EQ(library_bytes(kOpenMpi, kGather, 8, 1000, 8), 8000);
  EXPECT_EQ(library_bytes(kOpenMpi, kScatter, 8, 1000, 8), 8000);
  EXPECT_EQ(library_bytes(kOpenMpi, kScan, 8, 1000, 8), 64);  // one element for each rank
  EXPECT_EQ(library_bytes(kOpenMpi, kExscan, 8, 1000, 4), 32);
  EXPECT_EQ(library_bytes(kOpenMpi, kBarrier, 8, 1000, 8), 0);

  EXPECT_EQ(library_bytes(kMpich, kBcast, 8, 1000, 8), 1000);
  EXPECT_EQ(library_bytes(kMpich, kAlltoall, 8, 1000, 8), 1000);   // avg_msg_size
  EXPECT_EQ(library_bytes(kMpich, kAllgather, 8, 1000, 8), 8000);  // total_msg_size
  EXPECT_EQ(library_bytes(kMpich, kReduceScatter, 8, 1000, 8), 1000);
  EXPECT_EQ(library_bytes(kMpich, kGather, 8, 1000, 8), 1000);  // 125 elements for each of 8 ranks

  EXPECT_EQ(library_bytes(kUcc, kAllreduce, 8, 1000, 8), 1000);
  EXPECT_EQ(library_bytes(kUcc, kAllgather, 8, 1000, 8), 8000);
  EXPECT_EQ(library_bytes(kUcc, kReduceScatter, 8, 1000, 8), 125);

  EXPECT_EQ(library_bytes(kIntelMpi, kAllgather, 8, 1000, 8), 1000);
  EXPECT_EQ(library_bytes(kIntelMpi, kBarrier, 8, 1000, 8), 0);
  EXPECT_EQ(library_bytes(kOpenMpi, kAllgather, 1 << 20, kEnd, 8), kEnd);
}

TEST(EmitOpenMpi, WritesTextBeforeSix) {
  const DecisionTable table = open_mpi(
      {rule(kBcast, "chain", "chain", {.bytes = {1024, 65535}, .segment = 8192, .parameters = {{"chains", 2}}}),
       rule(kBcast, "binomial-doubling", "binomial", {.bytes = {65536, kEnd}})});
  EXPECT_EQ(file_of(emit_one(table), "openmpi/rules.conf"),
            "1    # collectives\n"
            "7 1    # bcast: its number, communicator sizes\n"
            "2 3    # ranks from here on; message size, algorithm, fan-out, segment\n"
            "0 0 0 0    # built-in decision\n"
            "1024 2 2 8192    # chain\n"
            "65536 6 0 0    # binomial\n");
}

TEST(EmitOpenMpi, ConvertsSizesForEachNumberOfRanks) {
  const DecisionTable table = open_mpi({rule(kAllgather, "ring", "ring", {.ranks = {2, 4}, .bytes = {1000, kEnd}})});
  EXPECT_EQ(file_of(emit_one(table), "openmpi/rules.conf"),
            "1    # collectives\n"
            "0 4    # allgather: its number, communicator sizes\n"
            "2 2    # ranks from here on; message size, algorithm, fan-out, segment\n"
            "0 0 0 0    # built-in decision\n2000 4 0 0    # ring\n"
            "3 2    # ranks from here on; message size, algorithm, fan-out, segment\n"
            "0 0 0 0    # built-in decision\n3000 4 0 0    # ring\n"
            "4 2    # ranks from here on; message size, algorithm, fan-out, segment\n"
            "0 0 0 0    # built-in decision\n4000 4 0 0    # ring\n"
            "5 1    # ranks from here on; message size, algorithm, fan-out, segment\n"
            "0 0 0 0    # built-in decision\n");
}

TEST(EmitOpenMpi, WritesJsonFromSixOnAndVersionTwoBefore) {
  const std::vector<DecisionRule> rules{
      rule(kBcast, "binomial-doubling", "binomial", {.ranks = {4, 8}, .bytes = {64, 1023}})};
  EXPECT_EQ(file_of(emit_one(open_mpi(rules, {5, 0, 7})), "openmpi/rules.conf").substr(0, 21),
            "rule-file-version-2\n1");
  const std::string json = file_of(emit_one(open_mpi(rules, {6, 0, 0})), "openmpi/rules.json");
  EXPECT_NE(json.find(R"("comm_size_min": 4, "comm_size_max": 8, "rules": [)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"({"msg_size_min": 64, "msg_size_max": 1023, "alg": "binomial"})"), std::string::npos) << json;
  EXPECT_THROW((void)emit_one(open_mpi(rules, {3, 1, 0})), UsageError);
  EXPECT_THROW((void)emit_one(open_mpi(rules, {9, 0, 0})), UsageError);
}

TEST(EmitOpenMpi, KeepsRulesForSeveralNodesOffASingleOneInJson) {
  const std::vector<DecisionRule> rules{rule(kBcast, "binomial-doubling", "binomial", {.nodes = {2}})};
  const std::string json = file_of(emit_one(open_mpi(rules, {6, 0, 0})), "openmpi/rules.json");
  const auto single = json.find("\"single-node\", \"comm_size_min\": 2, \"rules\": [\n     {\"alg\": 0}]");
  EXPECT_NE(single, std::string::npos) << json;
  EXPECT_LT(single, json.find("binomial")) << "the first that matches is taken";
}

TEST(EmitOpenMpi, LeavesOutWhatWouldDeadlock) {
  const EmittedFiles part = emit_one(open_mpi({rule(kScatter, "binomial", "binomial", {.bytes = {0, 1023}})}));
  ASSERT_EQ(part.notes.size(), 1U);
  EXPECT_NE(part.notes.front().find("deadlock"), std::string::npos);
  EXPECT_NE(file_of(part, "openmpi/rules.conf").find("0 0 0 0"), std::string::npos);
  const EmittedFiles whole = emit_one(open_mpi({rule(kScatter, "binomial", "binomial")}));
  EXPECT_TRUE(whole.notes.empty());
  EXPECT_NE(file_of(whole, "openmpi/rules.conf").find("0 2 0 0    # binomial"), std::string::npos);
}

TEST(EmitOpenMpi, WritesAFileForEachNumberOfNodes) {
  const EmittedFiles emitted = emit_one(open_mpi({rule(kBcast, "linear", "basic_linear", {.nodes = {1, 1}}),
                                                  rule(kBcast, "binomial-doubling", "binomial", {.nodes = {2, 16}})},
                                                 {5, 0, 3}));
  EXPECT_NE(file_of(emitted, "openmpi/rules-1-node.conf").find("basic_linear"), std::string::npos);
  EXPECT_NE(file_of(emitted, "openmpi/rules-2-to-16-nodes.conf").find("binomial"), std::string::npos);
  EXPECT_NE(file_of(emitted, "env.sh").find("[ \"$postage_nodes\" -ge 2 ] && [ \"$postage_nodes\" -le 16 ]"),
            std::string::npos);
  EXPECT_EQ(file_of(emitted, "openmpi/han-2-to-16-nodes.conf"),
            "1    # collectives\nbcast 1\nglobal_communicator 2\n1 1\n0 han\n2 1\n0 tuned\n");
}

TEST(EmitOthers, RefuseReleasesOfIntelMpiWhoseNumbersAreNotKnown) {
  for (const LibraryVersion& version : {LibraryVersion{2017, 0, 0}, LibraryVersion{2018, 0, 0},
                                        LibraryVersion{2019, 9, 0}, LibraryVersion{2021, 13, 0}}) {
    EXPECT_THROW(emit_one(DecisionTable(kIntelMpi, version, {rule(kBcast, "binomial", "binomial", {})})), UsageError);
    EXPECT_TRUE(known_algorithms(kIntelMpi, version, kBcast).empty());
  }
  EXPECT_FALSE(known_algorithms(kIntelMpi, {2021, 12, 0}, kBcast).empty());
}

TEST(EmitOthers, WriteTheirWords) {
  const DecisionTable ucc(kUcc, {1, 3, 0}, {rule(kAllgather, "ring", "ring", {.ranks = {2, 2}, .bytes = {512, 1023}})});
  EXPECT_EQ(file_of(emit_one(ucc), "ucc/ucc.conf"), "UCC_TL_UCP_TUNE = allgather:1024-2048:host:[2-2]:@ring\n\n");
  const DecisionTable intel(kIntelMpi, {2021, 10, 0},
                            {rule(kBcast, "binomial", "binomial", {.ranks = {2, 8}, .bytes = {0, 1023}}),
                             rule(kBarrier, "dissemination", "dissemination", {.ranks = {2, 8}})});
  const std::string lines = file_of(emit_one(intel), "env.sh");
  EXPECT_NE(lines.find("export I_MPI_ADJUST_BCAST=\"1:0-1023@2-8\""), std::string::npos) << lines;
  EXPECT_NE(lines.find("export I_MPI_ADJUST_BARRIER=\"1:0-2147483647@2-8\""), std::string::npos) << lines;
}

TEST(EmitOthers, SetNothingWithoutRules) {
  for (const DecisionTable& table : {open_mpi({}), open_mpi({}, {6, 0, 0}), DecisionTable(kMpich, {4, 0, 2}, {}),
                                     DecisionTable(kUcc, {1, 3, 0}, {}), DecisionTable(kIntelMpi, {2021, 10, 0}, {})}) {
    const EmittedFiles emitted = emit_one(table);
    EXPECT_EQ(file_of(emitted, "env.sh").find("export"), std::string::npos);
    EXPECT_EQ(emitted.files.size(), 4U);  // decisions, env.sh, modulefile, README
  }
}

TEST(EmitScripts, SetEagerLimits) {
  const std::vector<DecisionTable> tables{
      open_mpi({rule(kScan, "linear", "linear")}),
      DecisionTable(kMpich, {4, 0, 2}, {rule(kScan, "recursive-doubling", "recursive_doubling")})};
  const EmittedFiles emitted =
      emit(tables, {.folder = "/opt/tuned", .eager_limits = {8192, 65536}, .not_tried = {kMpich}});
  const std::string script = file_of(emitted, "env.sh");
  EXPECT_NE(script.find("OMPI_MCA_btl_vader_eager_limit=\"8192\""), std::string::npos);
  EXPECT_NE(script.find("UCX_RNDV_THRESH=\"intra:8192,inter:65536\""), std::string::npos);
  EXPECT_NE(file_of(emitted, "README.md").find("mpich 4.0.2\n\nNOT TRIED HERE"), std::string::npos);
  EXPECT_NE(file_of(emitted, "modulefile").find("setenv UCX_RNDV_THRESH"), std::string::npos);
  EXPECT_TRUE(lint(script).findings.empty()) << lint_text(lint(script), "env.sh");
}

// -- every table that can be drawn gives files without findings
// --------------------------------------------------------

Span<Rank> random_ranks(std::mt19937& random, Rank first) {
  const Rank last = first + static_cast<Rank>(random() % 13);
  return {first, random() % 5 == 0 ? kRanksEnd : last};
}

std::vector<DecisionRule> random_rules(std::mt19937& random, TuningTarget target, const LibraryVersion& version,
                                       Collective collective) {
  std::vector<const LibraryAlgorithm*> known = known_algorithms(target, version, collective);
  std::vector<DecisionRule> rules;
  Rank first = 2;
  while (!known.empty() && rules.size() < 12) {
    const Span<Rank> ranks = random_ranks(random, first);
    Bytes bytes = static_cast<Bytes>(random() % 3) * 100;
    for (int i = 0; i < 3; ++i) {
      const LibraryAlgorithm& row = *known[random() % known.size()];
      const Bytes last = random() % 3 == 0 ? kEnd : bytes + static_cast<Bytes>(random() % 100000);
      Where where{.ranks = ranks,
                  .bytes = {bytes, last},
                  .segment = row.takes_segment ? static_cast<Bytes>(1 + random() % 9) * 1024 : 0};
      if (!row.fan_out.empty()) {
        where.parameters[std::string(row.fan_out)] = 2 + static_cast<Index>(random() % 6);
      }
      rules.push_back(rule(collective, std::string(row.ours).c_str(), std::string(row.name).c_str(), where));
      if (last == kEnd) {
        break;
      }
      bytes = last + 1 + static_cast<Bytes>(random() % 2) * 50;
    }
    if (ranks.last == kRanksEnd) {
      break;
    }
    first = ranks.last + 1;
  }
  return rules;
}

void expect_clean(TuningTarget target, const LibraryVersion& version, int cases) {
  std::mt19937 random(20240229);
  for (int i = 0; i < cases; ++i) {
    std::vector<DecisionRule> rules;
    for (int c = 0; c <= static_cast<int>(kExscan); ++c) {
      const std::vector<DecisionRule> some = random_rules(random, target, version, static_cast<Collective>(c));
      rules.insert(rules.end(), some.begin(), some.end());
    }
    const EmittedFiles emitted = emit_one(DecisionTable(target, version, rules));
    const LintVersions versions{.open_mpi = version, .mpich = version, .ucc = version, .intel = version};
    for (const EmittedFile& file : emitted.files) {
      if (file.path == "README.md" || file.path.starts_with("decisions-")) {
        continue;
      }
      // The files of a folder that is not there.
      LintReport report = lint(file.text, {}, versions);
      std::erase_if(report.findings, [](const LintFinding& finding) { return finding.check == "no-file"; });
      ASSERT_TRUE(report.findings.empty()) << lint_text(report, file.path).substr(0, 2000);
    }
  }
}

TEST(Emit, GivesFilesWithoutFindings) {
  expect_clean(kOpenMpi, {4, 1, 4}, 12);
  expect_clean(kOpenMpi, {5, 0, 3}, 3);
  expect_clean(kOpenMpi, {5, 0, 7}, 3);
  expect_clean(kOpenMpi, {6, 0, 0}, 6);
  expect_clean(kMpich, {4, 0, 2}, 8);
  expect_clean(kMpich, {4, 2, 0}, 3);
  expect_clean(kMpich, {4, 3, 0}, 3);
  expect_clean(kUcc, {1, 3, 0}, 6);
  expect_clean(kIntelMpi, {2021, 10, 0}, 6);
}

TEST(Retarget, SaysATableInAnotherLibrarysWords) {
  const DecisionTable table = open_mpi({rule(kBcast, "scatter-ring-allgather", "scatter_allgather_ring"),
                                        rule(kGather, "linear-sync", "linear_sync", {.segment = 32768}),
                                        rule(kReduce, "pipeline", "pipeline", {.segment = 4096})});
  const DecisionTable mpich = retarget(table, kMpich, {4, 0, 2});
  ASSERT_EQ(mpich.rules().size(), 1U);
  EXPECT_EQ(mpich.rules().front().choice.library_name, "scatter_ring_allgather");
  EXPECT_EQ(mpich.dropped.size(), 2U);
  EXPECT_EQ(retarget(table, kOpenMpi, {4, 1, 4}), table);
  EXPECT_EQ(retarget(table, kOpenMpi, {5, 0, 7}).rules().size(), 3U);
}

TEST(EmitMpich, SplitsCommunicatorsByNodesAsUsualWhereNoRuleHolds) {
  const EmittedFiles emitted =
      emit_one({kMpich, {4, 0, 2}, {rule(kBcast, "binomial", "binomial", {.ranks = {9}, .bytes = {1024, 4095}})}});
  const std::string ch4 = file_of(emitted, "mpich/ch4.json");
  const auto below = ch4.find("avg_msg_size<=1023", ch4.find("comm_size=any", ch4.find("comm_size<=8")));
  const auto rule_at = ch4.find("avg_msg_size<=4095", below);
  ASSERT_NE(rule_at, std::string::npos) << ch4;
  EXPECT_NE(ch4.substr(below, rule_at - below).find("Bcast_intra_composition_alpha"), std::string::npos);
  const std::string ruled = ch4.substr(rule_at, ch4.find("avg_msg_size=any", rule_at) - rule_at);
  EXPECT_NE(ruled.find("Bcast_intra_composition_gamma"), std::string::npos);
  EXPECT_EQ(ruled.find("Bcast_intra_composition_alpha"), std::string::npos);
  EXPECT_NE(ch4.find("Allreduce_intra_composition_alpha"), std::string::npos) << "it has no rule at all";
  EXPECT_TRUE(lint(ch4, TuningFormat::kMpichJson, {}).findings.empty());
}

}  // namespace
}  // namespace postage
