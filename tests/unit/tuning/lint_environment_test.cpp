#include <postage/base/error.hpp>
#include <postage/tuning/lint.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace postage {
namespace {

using Found = std::vector<std::string>;

Found environment(const std::string& text, const std::string& version = "",
                  TuningFormat format = TuningFormat::kEnvironment) {
  Found names;
  for (const LintFinding& finding : lint(text, format, parse_lint_versions(version, format)).findings) {
    names.push_back(std::to_string(finding.line) + " " + finding.check);
  }
  return names;
}

TEST(LintEnvironment, ReadsEveryWayOfSetting) {
  for (const char* line : {"export OMPI_MCA_coll_tuned_bcast_algorithm=6", "OMPI_MCA_coll_tuned_bcast_algorithm=6",
                           "setenv OMPI_MCA_coll_tuned_bcast_algorithm 6", "coll_tuned_bcast_algorithm = 6",
                           "setenv(\"OMPI_MCA_coll_tuned_bcast_algorithm\", \"6\")"}) {
    EXPECT_EQ(environment(line), Found{"1 switch"}) << line;
    EXPECT_EQ(environment(std::string("coll_tuned_use_dynamic_rules = 1 # on\n") + line), Found{}) << line;
    EXPECT_EQ(detect_tuning_format(line), TuningFormat::kEnvironment);
  }
}

TEST(LintEnvironment, ReadsScriptsThatStartJobs) {
  const std::string on = "coll_tuned_use_dynamic_rules 1";
  EXPECT_EQ(environment("mpirun --mca coll_tuned_bcast_algorithm 19 ./a\n"), (Found{"1 switch", "1 algorithm"}));
  EXPECT_EQ(environment("exec mpirun -np 4 -mca " + on + " \\\n  --mca coll_tuned_bcast_algorithm 19 ./a\n"),
            Found{"1 algorithm"});
  EXPECT_EQ(environment("mpirun -mca " + on +
                        " -mca coll_tuned_bcast_algorithm 6 a\n"
                        "mpirun -mca " +
                        on + " -mca coll_tuned_bcast_algorithm 1 a\n"),
            Found{})
      << "two jobs";
  EXPECT_EQ(environment("mpirun -genv I_MPI_ADJUST_BCAST 77 ./a\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("mpiexec.hydra -env I_MPI_ADJUST_BCAST=77 ./a\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("mpirun -x UCX_RNDV_THRESH=8x -n 2 ./a\n"), Found{"1 number"});
  EXPECT_EQ(environment("I_MPI_ADJUST_BCAST=77 mpirun -n 4 ./a\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("I_MPI_ADJUST_BCAST=1 mpirun a\nI_MPI_ADJUST_BCAST=3 mpirun a\n"), Found{});
  EXPECT_EQ(detect_tuning_format("mpirun --mca coll_tuned_bcast_algorithm 19 ./a\n"), TuningFormat::kEnvironment);
}

TEST(LintEnvironment, ReadsSeveralAssignmentsOnALine) {
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=77 I_MPI_ADJUST_REDUCE=78\n"),
            (Found{"1 algorithm", "1 algorithm"}));
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=1; export I_MPI_ADJUST_REDUCE=\"1;2:0-8\"\n"), Found{"1 hidden"});
  EXPECT_EQ(environment("I_MPI_ADJUST_BCAST=1; I_MPI_ADJUST_REDUCE=78 && export I_MPI_ADJUST_GATHER=79\n"),
            (Found{"1 algorithm", "1 algorithm"}));
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=1:0-1024; 2:1025-4096\n"), (Found{"1 quotes", "1 syntax"}));
  EXPECT_EQ(environment("set -gx I_MPI_ADJUST_BCAST 77\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("set -x I_MPI_ADJUST_BCAST '1:0-8;77:9-16'\n"), Found{"1 algorithm"});
}

TEST(LintEnvironment, ReadsOpenMpisValuesAsItsEnumeratorsDo) {
  for (const char* yes : {"1", "2", "0x1", "true", "yes"}) {
    EXPECT_EQ(environment(std::string("coll_tuned_use_dynamic_rules = ") + yes + "\ncoll_tuned_bcast_algorithm = 6\n"),
              Found{})
        << yes;
  }
  for (const char* no : {"0", "no", ""}) {
    EXPECT_EQ(environment(std::string("coll_tuned_use_dynamic_rules = ") + no + "\ncoll_tuned_bcast_algorithm = 6\n"),
              Found{"2 switch"})
        << no;
  }
  for (const char* none : {"on", "TRUE", "maybe"}) {  // Open MPI 4.1.4 says that these are no values
    EXPECT_EQ(environment(std::string("coll_tuned_use_dynamic_rules = ") + none + "\ncoll_tuned_bcast_algorithm = 6\n"),
              (Found{"1 value", "2 switch"}))
        << none;
  }
  for (const char* six : {"6", "06", "0x6", "binomial", "BINOMIAL", "ignore", "0"}) {
    EXPECT_EQ(environment(std::string("coll_tuned_use_dynamic_rules = 1\ncoll_tuned_bcast_algorithm = ") + six + "\n"),
              Found{})
        << six;
  }
}

TEST(LintEnvironment, FindsNamesThatOpenMpiDoesNotKnow) {
  EXPECT_EQ(environment("coll_tuned_use_dynamic_rule = 1\n"), Found{"1 name"});
  EXPECT_EQ(environment("coll_tuned_use_dynamic_rules = 1\ncoll_tuned_dynamic_rules_file = x\n"), Found{"2 name"});
  EXPECT_EQ(environment("coll_tuned_bcast_algorithm_segmentsize = 8192\n"), (Found{"1 no-algorithm", "1 switch"}));
}

// Each was seen to abort Open MPI 4.1.4, or to change nothing.
TEST(LintEnvironment, KnowsOpenMpisValues) {
  EXPECT_EQ(environment("coll = basic,libnbc,self,tuned\n"), Found{});
  EXPECT_EQ(environment("coll = basic,libnbc,self,tunned\n"), Found{"1 component"});
  EXPECT_EQ(environment("coll = tuned,self\n"), (Found{"1 component", "1 component"}));
  EXPECT_EQ(environment("coll = ^libnbc\n"), Found{"1 component"});
  EXPECT_EQ(environment("coll = basic,libnbc,^han\n"), Found{"1 component"});
  EXPECT_EQ(environment("coll = ^hann\n"), Found{});
  const std::string rules = "coll_tuned_use_dynamic_rules = 1\ncoll_tuned_bcast_algorithm = 6\n";
  EXPECT_EQ(environment(rules + "coll = ^tuned\n"), Found{"2 component"});
  EXPECT_EQ(environment(rules + "coll = basic,libnbc,self\n"), Found{"2 component"});
  EXPECT_EQ(environment(rules + "coll = ^han\n"), Found{});
  for (const char* size : {"56", "64K", "4kb", "64M", "-5"}) {
    EXPECT_EQ(environment(std::string("btl_vader_eager_limit = ") + size + "\n"), Found{}) << size;
  }
  for (const char* size : {"k", "4q", "4.5k", "abc"}) {
    EXPECT_EQ(environment(std::string("btl_tcp_eager_limit = ") + size + "\n"), Found{"1 number"}) << size;
  }
  EXPECT_EQ(environment("btl_vader_eager_limit = 55\n"), Found{"1 eager-limit"});
  EXPECT_EQ(environment(rules + "coll_tuned_bcast_algorithm_segmentsize = abc\n"), Found{"3 number"});
  EXPECT_EQ(environment(rules + "coll_tuned_bcast_algorithm_segmentsize = 8K\n"), Found{});
  EXPECT_EQ(environment("coll_tuned_bcast_algorithm_knomial_radix = 8\ncoll_han_priority = high\n"),
            (Found{"1 switch", "2 number"}));
}

TEST(LintEnvironment, FindsLinesThatAShellReadsInAnotherWay) {
  EXPECT_EQ(environment("export OMPI_MCA_coll_tuned_use_dynamic_rules = 1\n"), Found{"1 spaces"});
  EXPECT_EQ(environment("OMPI_MCA_coll_tuned_use_dynamic_rules = 1\n"), Found{"1 prefix"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=1:0-1024;2:1025-4096\n"), Found{"1 quotes"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST='1:0-1024;2:1025-4096'\n"), Found{});
  EXPECT_EQ(environment("I_MPI_ADJUST_BCAST=1:0-1024;2:1025-4096\n"), Found{}) << "a file of variables";
}

TEST(LintEnvironment, KnowsOpenMpisParameters) {
  const std::string on = "export OMPI_MCA_coll_tuned_use_dynamic_rules=1\n";
  EXPECT_EQ(environment(on + "export OMPI_MCA_coll_tuned_bcast_algorithm=12\n"), Found{"2 algorithm"});
  EXPECT_EQ(environment(on + "export OMPI_MCA_coll_tuned_allgather_algorithm=sparbit\n"), Found{"2 algorithm"});
  EXPECT_EQ(environment(on + "export OMPI_MCA_coll_tuned_allgather_algorithm=sparbit\n", "openmpi@5.0.1"), Found{});
  EXPECT_EQ(environment(on + "export OMPI_MCA_coll_tuned_dynamic_rules_filename=/no/such/file\n"), Found{"2 no-file"});
  EXPECT_EQ(
      environment(
          on +
          "export OMPI_MCA_coll_tuned_dynamic_rules_filename=rules\nexport OMPI_MCA_coll_tuned_bcast_algorithm=6\n"),
      Found{"3 file-and-parameter"});
  EXPECT_EQ(environment("export OMPI_MCA_btl_vader_eager_limit=8192\n", "openmpi@5.0"), Found{"1 renamed"});
  EXPECT_EQ(environment("export OMPI_MCA_btl_sm_eager_limit=8192\n"), Found{"1 renamed"});
  EXPECT_EQ(environment("export OMPI_MCA_coll_han_dynamic_rules_filename=rules\n"), (Found{"1 switch", "1 priority"}));
}

TEST(LintEnvironment, KnowsMpichsVariables) {
  EXPECT_EQ(environment("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n"), Found{});
  EXPECT_EQ(environment("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=tree\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=tree\n", "mpich@4.1"), Found{});
  EXPECT_EQ(environment("export MPIR_CVAR_BCST_INTRA_ALGORITHM=binomial\n"), Found{"1 name"});
  EXPECT_EQ(environment("export MPIR_CVAR_BCAST_INTRA_ALGORTHM=binomial\n"), Found{"1 name"});
  EXPECT_EQ(environment("export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=/no/such/file\n"), Found{"1 no-file"});
  EXPECT_EQ(environment("export MPIR_CVAR_IBCAST_TREE_KVAL=2\n"), Found{"1 switch"});
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\nMPIR_CVAR_IBCAST_INTRA_ALGORITHM=tsp_tree\nMPIR_CVAR_"
                        "IBCAST_TREE_TYPE=knomial_1\n"
                        "MPIR_CVAR_IBCAST_TREE_KVAL=2\nMPIR_CVAR_IBCAST_TREE_PIPELINE_CHUNK_SIZE=64K\n"),
            Found{"5 number"});
}

// Seen with MPICH 4.0.2 and 4 ranks: a k-ary tree of 1 is a chain, 0 divides by it, -1 gives wrong data; others abort
// or never end.
TEST(LintEnvironment, FindsRadixesOfMpichThatAreTooSmall) {
  const std::string tree = "MPIR_CVAR_IBCAST_INTRA_ALGORITHM=tsp_tree\n";
  for (const std::string type : {"", "kary"}) {
    const std::string typed = tree + (type.empty() ? "\n" : "MPIR_CVAR_IBCAST_TREE_TYPE=" + type + "\n");
    EXPECT_EQ(environment(typed + "MPIR_CVAR_IBCAST_TREE_KVAL=1\n"), Found{}) << type;
    EXPECT_EQ(environment(typed + "MPIR_CVAR_IBCAST_TREE_KVAL=0\n"), Found{"3 radix"}) << type;
    EXPECT_EQ(environment(typed + "MPIR_CVAR_IBCAST_TREE_KVAL=-1\n"), Found{"3 radix"}) << type;
  }
  for (const std::string type : {"knomial_1", "knomial_2"}) {
    const std::string typed = tree + "MPIR_CVAR_IBCAST_TREE_TYPE=" + type + "\n";
    EXPECT_EQ(environment(typed + "MPIR_CVAR_IBCAST_TREE_KVAL=1\n"), Found{"3 radix"}) << type;
    EXPECT_EQ(environment(typed + "MPIR_CVAR_IBCAST_TREE_KVAL=2\n"), Found{}) << type;
    EXPECT_EQ(environment(typed + "MPIR_CVAR_IBCAST_TREE_KVAL=two\n"), Found{"3 number"}) << type;
  }
  for (const char* name : {"IALLGATHER_BRUCKS", "IALLREDUCE_RECEXCH", "IGATHER_TREE", "ISCATTER_TREE"}) {
    EXPECT_EQ(environment(std::string("MPIR_CVAR_") + name + "_KVAL=1\n"), Found{"1 radix"}) << name;
    EXPECT_EQ(environment(std::string("MPIR_CVAR_") + name + "_KVAL=2\n"), Found{}) << name;
  }
  EXPECT_EQ(environment("MPIR_CVAR_IREDUCE_TREE_KVAL=1\n"), Found{});
  EXPECT_EQ(environment("MPIR_CVAR_IREDUCE_TREE_TYPE=knomial_1\nMPIR_CVAR_IREDUCE_TREE_KVAL=1\n"), Found{"2 radix"});
}

// Each was seen to abort MPICH 4.0.2, or to change nothing.
TEST(LintEnvironment, KnowsMpichsValues) {
  EXPECT_EQ(environment("MPIR_CVAR_COLLECTIVE_FALLBACK=loud\n"), Found{"1 value"});
  EXPECT_EQ(environment("MPIR_CVAR_COLLECTIVE_FALLBACK=print\n"), Found{});
  EXPECT_EQ(environment("MPIR_CVAR_DEVICE_COLLECTIVES=of\n"), Found{"1 value"});
  EXPECT_EQ(environment("MPIR_CVAR_DEVICE_COLLECTIVES=none\n"), Found{});
  EXPECT_EQ(environment("MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=64K\n"), Found{"1 number"});
  EXPECT_EQ(environment("MPIR_CVAR_REDUCE_SHORT_MSG_SIZE=-5\n"), Found{});
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_ALGORITHM=binomial\n"), Found{"1 name"});
  for (const char* name : {"BCAST_MIN_PROCS", "ALLTOALL_THROTTLE", "NUM_CLIQUES", "IREDUCE_TREE_BUFFER_PER_CHILD"}) {
    EXPECT_EQ(environment(std::string("MPIR_CVAR_") + name + "=8K\n"), Found{"1 number"}) << name;
    EXPECT_EQ(environment(std::string("MPIR_CVAR_") + name + "=+8\n"), Found{}) << name;
  }
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=2\n"), Found{"1 value"});
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=on\n"), Found{});
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_INTER_ALGORITHM=binomial\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_INTER_ALGORITHM=remote_send_local_bcast\n"), Found{});
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM=ipc_read\n"), Found{"1 value"});
  EXPECT_EQ(environment("MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM=release_gather\n"), Found{});
  EXPECT_EQ(environment("MPIR_CVAR_GATHER_POSIX_INTRA_ALGORITHM=mpir\n"), Found{"1 name"});
  // Other prefixes that MPICH reads, and a variable of Cray's MPI.
  EXPECT_EQ(environment("MPICH_BCAST_INTRA_ALGORITHM=tree\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("MPIR_PARAM_BCAST_INTRA_ALGORITHM=tree\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("MPICH_GNI_MAX_EAGER_MSG_SIZE=64K\n"), Found{});
}

TEST(LintEnvironment, KnowsUccsTuneStrings) {
  const auto tune = [](const std::string& value) { return environment("export UCC_TL_UCP_TUNE=\"" + value + "\"\n"); };
  EXPECT_EQ(tune("allreduce:0-4k:host:[2-8]:inf:@knomial#alltoall:0"), Found{});
  EXPECT_EQ(tune("allreduce:0-4k,1M-inf:@0"), Found{});
  EXPECT_EQ(tune("allreduce:0-4k"), Found{"1 nothing-to-do"});
  EXPECT_EQ(tune("allredce:inf"), Found{"1 field"});
  EXPECT_EQ(tune("allreduce:4k-0:inf"), Found{"1 ranges"});
  EXPECT_EQ(tune("allreduce:0-4k,2k-8k:inf"), Found{"1 ranges"});
  EXPECT_EQ(tune("allreduce:cpu:inf"), Found{"1 memory"});
  EXPECT_EQ(tune("allreduce:INF"), Found{"1 field"});
  EXPECT_EQ(tune("allreduce:0-INF:inf"), Found{});
  EXPECT_EQ(tune("allreduce:@ring"), Found{"1 algorithm"});
  EXPECT_EQ(tune("allreduce:[8-2]:inf"), Found{"1 field"});
  EXPECT_EQ(
      environment("[vendor=intel model=skylake team_size=28 ppn=28 nnodes=1]\nUCC_TL_UCP_TUNE = allreduce:0-8k:@0\n",
                  "", TuningFormat::kUccConf),
      Found{});
  EXPECT_EQ(environment("[vendor=intel cores=4]\nUCC_TL_UCP_TUNE = bcast:@dbt\nTUNE = 1\n", "", TuningFormat::kUccConf),
            (Found{"1 section", "3 name"}));
  // Each of these makes UCC ignore the whole file, but for the first three and the processors.
  const auto conf = [](const std::string& text) { return environment(text, "", TuningFormat::kUccConf); };
  const std::string tuned = "UCC_TL_UCP_TUNE = allreduce:inf\n";
  EXPECT_EQ(conf("; a comment\n[team_size=4]\n" + tuned + "UCC_TLS = ucp ; another\n"), Found{});
  EXPECT_EQ(conf("[team_size=1-16 sock=2 vendor=AMD model=Rome]\n" + tuned), Found{});
  EXPECT_EQ(conf("[team_size=4]\nOMPI_" + tuned), Found{});
  EXPECT_EQ(conf("[vendor=acme model=8086]\n" + tuned), (Found{"1 processor", "1 processor"}));
  EXPECT_EQ(conf("[team_size=4]\n" + tuned + tuned), Found{"3 repeated"});
  EXPECT_EQ(conf(tuned + "[team_size=4]\n" + tuned + "[team_size=5]\n" + tuned + "[team_size=4]\n" + tuned),
            Found{"7 repeated"});
  for (const char* range : {"1-inf", "16-", "1-4,8-16", "4k", "-1", "four"}) {
    EXPECT_EQ(conf("[team_size=" + std::string(range) + "]\n" + tuned), Found{"1 range"}) << range;
  }
  EXPECT_EQ(conf("[team_size=]\n" + tuned), Found{"1 section"});
  EXPECT_EQ(conf("[team_size=4]\nUCX_RNDV_THRESH = 8k\n"), Found{"2 name"});
  EXPECT_EQ(conf("[team_size=4]\nUCC_TL_UPC_TUNE = inf\nUCC_TL_UCP_TUNES = inf\n"), (Found{"2 name", "3 name"}));
  const std::string misspelt = "[nnode=2-4]\nUCC_TL_UCP_TUNE = allreduce:inf\n";
  EXPECT_EQ(detect_tuning_format(misspelt), TuningFormat::kUccConf);
  EXPECT_EQ(environment(misspelt, "", TuningFormat::kUccConf), Found{"1 section"});
  const std::string sections = "[nnodes=2-4,8-6]\nexport UCC_TL_UCP_TUNE=allreduce:inf\nUCC_TL_CUDA_TUNE=\"inf\"\n";
  EXPECT_EQ(environment(sections, "", TuningFormat::kUccConf), (Found{"1 range", "2 shell", "3 quotes"}));
  EXPECT_EQ(conf("[nnodes=8-6]\n" + tuned), Found{"1 empty-range"});
}

TEST(LintEnvironment, KnowsIntelsAdjustments) {
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=\"1:0-1024@2-8;3:1025-2147483647@2-8\"\n"), Found{});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=99\n"), Found{"1 algorithm"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=99\n", "intel@2021.14"), Found{});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=99\n", "intel@2018"), Found{});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=\"1:8-4\"\n"), Found{"1 empty-range"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=\"1:0-64K\"\n"), Found{"1 syntax"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=\"1:0-100;2:5-50\"\n"), Found{"1 hidden"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BROADCAST=1\n"), Found{"1 name"});
  EXPECT_EQ(environment("export I_MPI_ADUST_BCAST=1\n"), Found{"1 name"});
  EXPECT_EQ(environment("export I_MPI_ASYNC_PROGRESS=1\n"), Found{});
  EXPECT_EQ(environment("export I_MPI_ADJUST_ALL_REDUCE=1\nexport i_mpi_adjust_bcast=1\n"),
            (Found{"1 name", "2 name"}));
  EXPECT_EQ(environment("export I_MPI_ADJUST_IALLREDUCE=3\nexport I_MPI_ADJUST_IBCAST=binomial\n"), Found{"2 syntax"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST_SEGSIZE=65536\nexport I_MPI_ADJUST_BCAST_SEGSIZE=64k\n"),
            (Found{"1 repeated", "2 number"}));
  EXPECT_EQ(environment("export I_MPI_ADJUST_ALLREDUCE_KN_RADIX=4\n"), Found{});
  EXPECT_EQ(environment("export I_MPI_ADJUST_ALLREDUCE_KN_RADIX=1\n"), Found{"1 number"});
  EXPECT_EQ(environment("export I_MPI_TUNING_BIN=/no/such/file\n"), Found{"1 no-file"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=\n"), Found{"1 nothing-to-do"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=\"1;4:0-1024\"\n"), Found{"1 hidden"});
  EXPECT_EQ(environment("export I_MPI_ADJUST_BCAST=\"4:0-1024;1\"\n"), Found{});
}

TEST(LintEnvironment, KnowsUcxsThresholds) {
  EXPECT_EQ(environment("export UCX_RNDV_THRESH=intra:8k,inter:16384\n"), Found{});
  EXPECT_EQ(environment("export UCX_RNDV_THRESH=8x\n"), Found{"1 number"});
}

TEST(LintEnvironment, WantsFilesWhereFilesAreNamed) {
  EXPECT_EQ(environment("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=/\n"), Found{"1 no-file"}) << "a folder";
  EXPECT_EQ(environment("coll_tuned_use_dynamic_rules = 1\ncoll_tuned_dynamic_rules_filename = /\n"),
            Found{"2 no-file"});
}

TEST(LintEnvironment, ReportsNamesAndLines) {
  EXPECT_NE(lint("UCC_TL_UCP_TUNE=inf\n").library.find("UCC 1.3.0"), std::string::npos);
  const LintReport report = lint("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=tree\n");
  EXPECT_EQ(lint_text(report, "env.sh").substr(0, 18), "env.sh:1: aborts: ");
  EXPECT_EQ(lint_json(report, "env.sh")["findings"][0]["check"].text(), "algorithm");
  EXPECT_THROW((void)parse_lint_versions("preload@1", TuningFormat::kEnvironment), UsageError);
  EXPECT_THROW((void)parse_lint_versions("five", TuningFormat::kEnvironment), UsageError);
  EXPECT_THROW((void)parse_tuning_format("rules"), UsageError);
}

}  // namespace
}  // namespace postage
