#include "tuning/prove/plan.hpp"
#include "tuning/prove/tracing.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/launch.hpp>
#include <postage/tuning/proof.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace postage {
namespace {

namespace fs = std::filesystem;

std::string word_of(const ProofCall& call) {
  return traced_word(call.rule->collective, call.ranks, call.bytes);
}

/// With the settings of a folder, or, where it is empty, without any.
Tracing trace(const DecisionTable& table, const fs::path& folder, const std::vector<ProofCall>& calls,
              Seconds time_limit) {
  LaunchTarget job{.mpi = std::string(name_of(table.target()))};
  std::vector<std::string> words;
  for (const ProofCall& call : calls) {
    job.ranks = std::max<int>(job.ranks, call.ranks);
    words.push_back(word_of(call));
  }
  try {
    return trace_calls(table.target(), job, folder, words, time_limit);
  } catch (const Interrupted&) {
    throw Interrupted("proving the rules was interrupted; their files stay");
  }
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
  if (!is_same_release(*here, table.version())) {
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
  const Tracing run = trace(table, fs::absolute(folder), all, limits.time_limit);
  Tracing usual;
  if (!plan.beside.empty()) {
    usual = trace(table, {}, plan.beside, limits.time_limit);
  }
  for (const ProofCall& call : all) {
    const auto trace = run.seen.find(word_of(call));
    if (trace != run.seen.end()) {
      plan.rows.push_back(call.is_beside ? judge_beside(call, trace->second, usual.seen[word_of(call)])
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
