#include "tuning/prove/plan.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/tuning/proof.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace postage {
namespace {

namespace fs = std::filesystem;

std::string word_of(const ProofCall& call) {
  return fmt::format("{}:{}:{}", name_of(call.rule->collective), call.ranks, call.bytes);
}

/// What each call's line says, by its word.
using Traces = std::map<std::string, std::vector<SeenAlgorithm>>;

struct ProofRun {
  Traces traces{};
  std::string failure{};  ///< why the job ended early
};

/// With the settings of a folder, or, where it is empty, without any.
std::vector<std::string> proof_command(const DecisionTable& table, const fs::path& folder,
                                       const std::vector<ProofCall>& calls) {
  const std::string mpi(name_of(table.target()));
  LaunchTarget target{.mpi = mpi, .program = "postage-prove"};
  for (const ProofCall& call : calls) {
    target.ranks = std::max<int>(target.ranks, call.ranks);
  }
  if (table.target() == TuningTarget::kOpenMpi) {
    const fs::path tracer = find_built("libpostage-trace-openmpi.so");
    if (tracer.empty()) {
      throw Error("libpostage-trace-openmpi.so is not beside postage nor in libexec; run make build");
    }
    target.launcher_options = {"-x", "LD_PRELOAD=" + tracer.string()};
  }
  std::vector<std::string> words;
  for (const ProofCall& call : calls) {
    words.push_back(word_of(call));
  }
  const char* const script =
      folder.empty() ? "exec \"$@\"" : "POSTAGE_NODES=1; POSTAGE_TUNED=\"$0\"; . \"$0/env.sh\"; exec \"$@\"";
  std::vector<std::string> command{"sh", "-c", script, folder.string()};
  const std::vector<std::string> job = launch_command(target, words);
  command.insert(command.end(), job.begin(), job.end());
  return command;
}

ProofRun run_proof(const std::vector<std::string>& command, Seconds time_limit) {
  constexpr std::string_view kMark = "postage-proof\t";
  ProofRun run;
  const TemporaryFolder folder;
  RunHooks hooks{.environment = {"TMPDIR=" + folder.path().string()}};
  hooks.error_line = [&](std::string_view line) {
    const auto at = line.find(kMark);
    const auto tab = at == std::string_view::npos ? at : line.find('\t', at + kMark.size());
    if (tab == std::string_view::npos) {
      return false;
    }
    run.traces[std::string(line.substr(at + kMark.size(), tab - at - kMark.size()))] =
        parse_trace(line.substr(tab + 1));
    return true;
  };
  try {
    (void)run_command(command, time_limit, hooks);
  } catch (const Interrupted&) {
    throw Interrupted("proving the rules was interrupted; their files stay");
  } catch (const Error& failure) {
    run.failure = failure.what();
  }
  return run;
}

void check_release(const DecisionTable& table) {
  const auto here = installed_version(table.target());
  if (table.target() != TuningTarget::kOpenMpi && table.target() != TuningTarget::kMpich) {
    throw UsageError(
        fmt::format("which algorithm of {} runs cannot be seen here: UCC_LOG_LEVEL=info and I_MPI_DEBUG=6 print what "
                    "UCC and Intel MPI will take",
                    name_of(table.target())));
  }
  if (!here) {
    throw Error(fmt::format("{} is not installed here: its rules cannot be tried", name_of(table.target())));
  }
  if (here->major != table.version().major || here->minor != table.version().minor) {
    throw Error(fmt::format("the rules are for {} {}, and {} is installed here: they cannot be tried",
                            name_of(table.target()), format_version(table.version()), format_version(*here)));
  }
}

}  // namespace

std::vector<ProofRow> prove(const DecisionTable& table, const fs::path& folder, const ProofLimits& limits) {
  check_release(table);
  if (!fs::exists(folder / "env.sh")) {
    throw UsageError(fmt::format("there is no env.sh in {}: name a folder that postage emit or postage tune wrote",
                                 folder.string()));
  }
  ProofPlan plan = plan_proof(table, limits);
  if (plan.calls.empty()) {
    return plan.rows;
  }
  std::vector<ProofCall> all = plan.calls;
  all.insert(all.end(), plan.beside.begin(), plan.beside.end());
  const ProofRun run = run_proof(proof_command(table, fs::absolute(folder), all), limits.time_limit);
  ProofRun usual;
  if (!plan.beside.empty()) {
    usual = run_proof(proof_command(table, {}, plan.beside), limits.time_limit);
  }
  for (const ProofCall& call : all) {
    const auto trace = run.traces.find(word_of(call));
    if (trace != run.traces.end()) {
      plan.rows.push_back(call.is_beside ? judge_beside(call, trace->second, usual.traces[word_of(call)])
                                         : judge(table, call, trace->second));
    } else {
      const std::string why = run.failure.empty() ? "the program said nothing of it"
                                                  : fmt::format("the program ended before: {}", run.failure);
      plan.rows.push_back({.call = call, .verdict = ProofVerdict::kNotInForce, .reason = why});
    }
  }
  return plan.rows;
}

}  // namespace postage
