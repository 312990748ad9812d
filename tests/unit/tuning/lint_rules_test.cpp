#include <postage/base/error.hpp>
#include <postage/tuning/lint.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace postage {
namespace {

std::vector<std::string> checks_of(const std::string& text, const std::string& version = "",
                                   TuningFormat format = TuningFormat::kOpenMpiRules) {
  std::vector<std::string> names;
  const LintVersions versions = version.empty() ? LintVersions{} : parse_lint_versions(version, format);
  for (const LintFinding& finding : lint(text, format, versions).findings) {
    names.push_back(std::to_string(finding.line) + " " + finding.check);
  }
  return names;
}

using Found = std::vector<std::string>;

// The file that was seen to take effect in Open MPI 4.1.4; its recursive doubling becomes bruck at 3 ranks and others.
constexpr const char* kGood = R"(7
2 1               # ALLREDUCE
2 3
0      3 0 0
1000   6 0 0
200000 5 0 65536
3 1
2 3
0      3 0 0
4000   4 0 0
80000  2 0 0
6 1
2 1
0      6 0 0
7 2               # BCAST
2 2
0      1 0 0
1000   6 0 0
4 5
0      6 0 0
100    4 0 1024
1000   2 3 8192
20000  8 0 0
1000000 9 0 0
9 1
2 1
0      3 0 32768
12 1
2 3
0      2 0 0
4000   4 0 0
400000 3 0 0
15 1
2 1
0      2 0 0
)";

TEST(LintRules, FindsNothingInAFileThatTakesEffect) {
  EXPECT_EQ(checks_of(kGood), Found{});
  EXPECT_EQ(detect_tuning_format(kGood), TuningFormat::kOpenMpiRules);
}

TEST(LintRules, IgnoresTheFileWhereTheLibraryDoes) {
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n8 6 0 0\n"), Found{"4 first-size"});
  EXPECT_EQ(checks_of("1\n7 1\n2 2\n1024 99 0 0\n512 1 0 0\n"), (Found{"4 first-size", "4 algorithm", "5 unsorted"}));
  EXPECT_EQ(checks_of("1\n7 1\n2 2\n0 6 0 0\n"), Found{"5 truncated"});
  EXPECT_EQ(checks_of("1\n22 1\n2 1\n0 6 0 0\n"), Found{"2 collective"});
  EXPECT_EQ(checks_of("23\n"), Found{"1 collectives"});
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 -6 0 0\n"), Found{"4 negative"});
  EXPECT_EQ(checks_of("rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0 0\n", "4.1.4"), Found{"1 file-version"});
  EXPECT_EQ(checks_of(""), Found{"1 truncated"});
}

TEST(LintRules, ReadsVersionTwoFrom507On) {
  const std::string file = "rule-file-version-2\n1\n3 1\n2 2\n0 4 0 0 8\n64 2 0 0\n";
  EXPECT_EQ(checks_of(file, "5.0.7"), Found{});
  EXPECT_EQ(checks_of(file), Found{});  // the release that the format was made for
  EXPECT_EQ(checks_of("rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0 8\n"), Found{"5 requests"});
  // Without the line, a fifth column moves all that follows.
  EXPECT_FALSE(checks_of("1\n7 1\n2 2\n0 6 0 0 0\n64 1 0 0 0\n").empty());
}

TEST(LintRules, SaysWhatUnsortedSizesDo) {
  EXPECT_EQ(checks_of("1\n7 1\n2 3\n0 6 0 0\n4000 1 0 0\n100 3 0 1024\n"), (Found{"5 unsorted", "6 unsorted"}));
  EXPECT_EQ(checks_of("1\n7 1\n2 2\n0 6 0 0\n0 1 0 0\n"), Found{"4 unsorted"});
  EXPECT_EQ(checks_of("1\n7 2\n4 1\n0 6 0 0\n2 1\n0 1 0 0\n"), (Found{"3 missing-sizes", "5 unsorted"}));
}

TEST(LintRules, KnowsWhichCommunicatorsTakeTheFirstBlock) {
  EXPECT_EQ(checks_of("1\n7 1\n8 1\n0 6 0 0\n"), Found{"3 missing-sizes"});
  EXPECT_EQ(checks_of("1\n7 2\n0 1\n0 0 0 0\n8 1\n0 6 0 0\n"), Found{});
}

TEST(LintRules, RefusesSizesOfRootedCollectives) {
  EXPECT_EQ(checks_of("1\n15 1\n2 2\n0 2 0 0\n1000 1 0 0\n"), Found{"5 rooted-sizes"});
  EXPECT_EQ(checks_of("1\n9 1\n2 2\n0 2 0 0\n1000 1 0 0\n"), Found{"5 rooted-sizes"});
  EXPECT_EQ(checks_of("1\n9 1\n2 2\n0 2 0 0\n1000 2 0 0\n"), Found{});  // the same for all
  EXPECT_EQ(checks_of("1\n6 1\n2 2\n0 2 0 0\n1000 1 0 0\n"), Found{"5 no-sizes"});
  EXPECT_EQ(checks_of("1\n14 1\n2 2\n0 2 0 0\n1000 1 0 0\n"), Found{"5 scan-sizes"});
}

TEST(LintRules, KnowsTheAlgorithmsOfEachRelease) {
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 10 0 0\n"), Found{"4 algorithm"});
  EXPECT_EQ(checks_of("1\n0 1\n2 1\n0 7 0 0\n", "4.1.4"), Found{"4 algorithm"});
  EXPECT_EQ(checks_of("1\n0 1\n2 1\n0 7 0 0\n", "5.0.3"), Found{});
  EXPECT_EQ(checks_of("1\n2 1\n2 1\n0 7 0 0\n", "4.1.4"), Found{"4 algorithm"});
  EXPECT_EQ(checks_of("1\n5 1\n2 1\n0 1 0 0\n"), Found{"2 collective"});  // alltoallw
  EXPECT_EQ(checks_of("1\n13 1\n2 1\n0 4 0 0\n"), Found{});
}

TEST(LintRules, KnowsTheNumbersOfRanks) {
  EXPECT_EQ(checks_of("1\n0 1\n2 1\n0 6 0 0\n"), Found{"4 two-proc"});
  EXPECT_EQ(checks_of("1\n0 2\n2 1\n0 6 0 0\n3 1\n0 4 0 0\n"), Found{});
  EXPECT_EQ(checks_of("1\n0 1\n2 1\n0 3 0 0\n"), Found{"4 ranks-rule"});
  EXPECT_EQ(checks_of("1\n0 4\n2 1\n0 3 0 0\n3 1\n0 2 0 0\n4 1\n0 3 0 0\n5 1\n0 2 0 0\n"), Found{});
  EXPECT_EQ(checks_of("1\n0 1\n2 1\n0 5 0 0\n"), Found{"4 ranks-rule"});
  EXPECT_EQ(checks_of("1\n2 1\n2 1\n0 6 0 0\n"), Found{"4 few-elements"});
  // 100,000 bytes on two ranks were seen to take the ring: each has less than a segment.
  EXPECT_EQ(checks_of("1\n2 1\n2 2\n0 3 0 0\n100000 5 0 65536\n"), Found{"5 few-elements"});
  EXPECT_EQ(checks_of("1\n2 1\n2 2\n0 3 0 0\n131072 5 0 65536\n"), Found{});
}

TEST(LintRules, KnowsWhatFanOutsAndSegmentsDo) {
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 6 4 0\n"), Found{"4 fan-out"});
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 7 4 0\n"), Found{"4 fan-out"});
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 2 4 8192\n"), Found{});
  // Chains are 1 to 32.
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 2 0 8192\n"), Found{"4 fan-out"});
  EXPECT_EQ(checks_of("1\n11 1\n2 1\n0 2 33 8192\n"), Found{"4 fan-out"});
  EXPECT_EQ(checks_of("1\n11 1\n2 1\n0 2 32 8192\n"), Found{});
  EXPECT_EQ(checks_of("1\n3 1\n2 1\n0 2 0 8192\n"), Found{"4 segment"});
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 0 4 0\n"), Found{"4 segment"});
}

TEST(LintRules, ReadsNumbersAsScanfDoes) {
  EXPECT_EQ(checks_of("1\n7 1\n2 2\n0 6 0 0\n010 1 0 0\n"), Found{"5 octal"});
  EXPECT_EQ(checks_of("1\n7 1\n2 2\n0 6 0 0\n64K 1 0 0\n"), Found{"5 suffix"});
  EXPECT_EQ(checks_of("1 collective\n7 1\n2 1\n0 6 0 0\n"), Found{"1 words"});
  EXPECT_EQ(checks_of("1\n7 1\n2 2\n0 6 0 0\n0x40 1 0 0\n"), Found{});
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0, 6, 0, 0\n"), Found{});
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 6 0 0\n99\n"), Found{"5 rest"});
  EXPECT_EQ(checks_of("2\n7 1\n2 1\n0 6 0 0\n7 1\n2 1\n0 1 0 0\n"), Found{"2 repeated"});
}

TEST(LintRules, FindsSizesThatNoCommunicatorHas) {
  EXPECT_EQ(checks_of("1\n7 2\n2 1\n0 6 0 0\n2 1\n0 1 0 0\n"), Found{"3 unsorted"});
  EXPECT_EQ(checks_of("1\n7 2\n1 1\n0 6 0 0\n2 1\n0 1 0 0\n"), Found{}) << "coll/self serves one rank";
  EXPECT_EQ(checks_of("1\n7 0\n"), Found{"2 empty"});
  EXPECT_EQ(checks_of("1\n7 2\n2 0\n4 1\n0 6 0 0\n"), Found{}) << "the built-in decision holds for 2 and 3";
}

TEST(LintRules, KnowsHowVersionSixReadsText) {
  EXPECT_EQ(checks_of("1\n7 2\n2 1\n0 1 0 0\n8 1\n0 6 0 0\n", "6.0"), Found{"2 shifted"});
  EXPECT_EQ(checks_of("1\n7 1\n2 1\n0 1 0 0\n", "6.0"), Found{});
}

TEST(LintRules, SurvivesHostileText) {
  for (const std::string text : {"2000000000", "1 7 2000000000", "99999999999999999999999", "-", "#",
                                 "1 7 1 2 1 0 99999999999 0 0", "0x", "1\n7 1\n2 1\n0 6 0 99999999999\n", "\xff\xfe"}) {
    EXPECT_NO_THROW((void)lint(text, TuningFormat::kOpenMpiRules)) << text;
  }
  EXPECT_FALSE(lint(std::string(1000, '\0'), TuningFormat::kOpenMpiRules).findings.empty());
  EXPECT_THROW((void)lint("hello"), UsageError);
  EXPECT_THROW((void)lint(""), UsageError);
}

// -- HAN ---------------------------------------------------------------------------------------------------------

Found han(const std::string& text, const std::string& version = "") {
  return checks_of(text, version, TuningFormat::kHanRules);
}

TEST(LintHan, ReadsNamesFromFiveOn) {
  const std::string names =
      "1\nbcast 2\nglobal_communicator 1\n1 1\n0 han @simple\ninter_node 1\n1 2\n0 libnbc\n4096 adapt\n";
  EXPECT_EQ(han(names, "5.0.3"), Found{});
  EXPECT_EQ(han(names, "4.1.4"), Found{"2 collective"});
  EXPECT_EQ(han("1\n7 1\n0 1\n1 2\n0 3\n128 1\n", "4.1.4"), Found{});
  EXPECT_EQ(detect_tuning_format("1\n7 1\n0 1\n1 2\n0 3\n128 1\n"), TuningFormat::kHanRules);
  EXPECT_EQ(detect_tuning_format(names), TuningFormat::kHanRules);
  EXPECT_EQ(lint("1 # intra_node is 0\n7 1\n0 1\n1 1\n0 3\n").library, "Open MPI 4.1.4");
  EXPECT_EQ(lint(names).library, "Open MPI 5.0.7");
}

TEST(Lint, RefusesTextsThatHoldNothing) {
  for (const char* text : {"", "\n\n", "# rules\n"}) {
    EXPECT_THROW((void)detect_tuning_format(text), UsageError) << text;
  }
  EXPECT_EQ(checks_of("# rules\n"), Found{"2 truncated"});
  for (const char* list : {"[]", "[{\"bcast\": []}]", "[[1]]"}) {
    EXPECT_EQ(detect_tuning_format(list), TuningFormat::kOpenMpiJson) << list;
  }
  EXPECT_EQ(detect_tuning_format("[vendor=intel]\nUCC_TLS = ucp\n"), TuningFormat::kUccConf);
}

TEST(LintHan, FindsWhatIsIgnored) {
  EXPECT_EQ(han("1\n7 1\n0 1\n2 1\n0 3\n"), Found{"4 first-size"});
  EXPECT_EQ(han("1\n7 1\n0 1\n1 1\n8 3\n"), Found{"5 first-size"});
  EXPECT_EQ(han("1\n7 1\n0 1\n1 2\n0 3\n"), Found{"6 truncated"});
  EXPECT_EQ(han("1\n7 1\n3 1\n1 1\n0 3\n"), Found{"3 names"});
  EXPECT_EQ(han("1\n7 1\n0 1\n1 1\n0 7\n"), Found{"5 names"});
  EXPECT_EQ(han("1\n7 1\n0 1\n1 1\n0 6\n"), Found{"5 han-level"});
  EXPECT_EQ(han("1\n12 1\n0 1\n1 1\n0 3\n"), Found{"2 collective"});
  // It looks from the end.
  EXPECT_EQ(han("2\n7 1\n2 1\n1 1\n0 3\n7 1\n2 1\n1 1\n0 2\n"), Found{"2 repeated"});
  EXPECT_EQ(han("1\n7 2\n2 1\n1 1\n0 3\n2 1\n1 1\n0 2\n"), Found{"3 repeated"});
  const std::string with = "1\nallreduce 1\nglobal_communicator 1\n1 1\n0 han @";
  EXPECT_EQ(han(with + "simpel\n"), Found{"5 algorithm"});
  EXPECT_EQ(han(with + "reproducible\n"), Found{});
  EXPECT_EQ(han(with + "3\n"), Found{});
  EXPECT_EQ(han(with + "4\n"), Found{"5 algorithm"});
  EXPECT_EQ(han("1\nbcast 1\nintra_node 1\n1 1\n0 tuned [65536]\n", "5.0.7"), Found{"5 segment"});
  EXPECT_EQ(han("1\n7 1\n0 1\n1 3\n0 3\n100 1\n50 3\n"), Found{"7 unsorted"});
}

// -- JSON --------------------------------------------------------------------------------------------------------

Found json(const std::string& collectives, const std::string& version = "6.0") {
  return checks_of(R"({"rule_file_version": 3, "module": "tuned", "collectives": {)" + collectives + "}}", version,
                   TuningFormat::kOpenMpiJson);
}

TEST(LintOpenMpiJson, FindsNothingInTheExample) {
  EXPECT_EQ(json(R"("bcast": [
   {"comm_size_min":2,"comm_size_max":7,"rules":[{"msg_size_max":65535,"alg":6},{"msg_size_min":65536,"alg":2,"faninout":2,"seg_size":8192}]},
   {"comm_size_min":8,"rules":[{"msg_size_min": 64, "alg":"scatter_allgather_ring"},{"alg": 0}]}],
  "reduce_scatter":[{"rules":[{"alg":3}]}])"),
            Found{});
}

TEST(LintOpenMpiJson, FindsWhatIsIgnored) {
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":10}]}])"), Found{"1 algorithm"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":"nothing"}]}])"), Found{"1 algorithm"});
  EXPECT_EQ(json(R"("reduce-scatter": [])"), Found{"1 collective"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":6},{"msg_size_min":8,"alg":1}]}])"), Found{"1 hidden"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":6,"segsize":8}]}])"), Found{"1 key"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":6,"msg_size_max":"64K"}]}])"), Found{"1 number"});
  EXPECT_EQ(json(R"("bcast": [{"comm_rank_distribution":"two","rules":[{"alg":6}]}])"), Found{"1 distribution"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"msg_size_min":8}]}])"), Found{"1 algorithm"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":null}]}])"), Found{"1 algorithm"});
  // Names and numbers as the parameters' enumerators read them.
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"msg_size_max":8,"alg":"6"},{"alg":"Binomial"}]}])"), Found{});
  // What a size that cannot be read would hide is not known.
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":6,"msg_size_max":1024.0},{"alg":1}]}])"), Found{"1 number"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":"chain"}]}])"), Found{"1 fan-out"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[]}])"), Found{"1 empty"});
  EXPECT_EQ(json(""), Found{"1 empty"});
  EXPECT_EQ(json(R"("bcast": [{}])"), Found{"1 structure"});
  EXPECT_EQ(json(R"("bcast": [{"rules":[{"alg":6}]}])", "4.1.4"), Found{"1 file-format"});
  EXPECT_EQ(checks_of("{\n\"collectives\": ", "", TuningFormat::kOpenMpiJson), Found{"2 syntax"});
  EXPECT_EQ(json(R"("gather": [{"rules":[{"msg_size_max":8,"alg":1},{"alg":2}]}])"), Found{"1 rooted-sizes"});
  // A single-node entry does not hide one for all.
  EXPECT_EQ(json(R"("bcast": [{"comm_rank_distribution":"single-node","rules":[{"alg":6}]},{"rules":[{"alg":1}]}])"),
            Found{});
}

}  // namespace
}  // namespace postage
