#include "tuning/emit/blocks.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/tuning/emit.hpp>
#include <postage/tuning/proof.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postage {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kDouble = 8;

/// Within the rule and the limits: doubles where they fit.
std::vector<Bytes> proof_sizes(const DecisionRule& rule, const LibraryAlgorithm* algorithm, Rank ranks,
                               const ProofLimits& limits) {
  if (rule.collective == Collective::kBarrier) {
    return {0};
  }
  Bytes first = std::max<Bytes>(rule.bytes.first, 1);
  if (algorithm != nullptr && algorithm->least_elements_per_rank > 0) {
    first =
        std::max<Bytes>(first, ranks * (algorithm->takes_segment ? std::max(rule.choice.segment, kDouble) : kDouble));
  }
  const Bytes last = std::min(rule.bytes.last, limits.most_bytes);
  const Bytes even_first = (first + kDouble - 1) / kDouble * kDouble;
  const Bytes even_last = last / kDouble * kDouble;
  if (first > last) {
    return {};
  }
  if (even_first > even_last) {
    return {first};
  }
  const auto middle = static_cast<Bytes>(std::sqrt(static_cast<double>(even_first) * static_cast<double>(even_last))) /
                      kDouble * kDouble;
  return {even_first, std::max(middle, even_first), even_last};
}

/// What the file says there is what the rule says.
bool is_emitted(const EmittedBlocks& made, const DecisionTable& table, const ProofCall& call) {
  const Bytes element = call.bytes % kDouble == 0 ? kDouble : 1;
  const Bytes size = library_bytes(table.target(), call.rule->collective, call.ranks, call.bytes, element);
  for (const EmittedBlock& block : made.blocks) {
    for (const EmittedRange& range : block.ranges) {
      if (block.ranks.contains(call.ranks) && range.bytes.contains(size)) {
        return range.rule != nullptr && range.rule->choice == call.rule->choice;
      }
    }
  }
  return false;
}

std::vector<Rank> proof_ranks(const DecisionTable& table, const DecisionRule& rule, const ProofLimits& limits) {
  std::vector<Rank> able;
  for (Rank p = std::max<Rank>(rule.communicators.ranks.first, 2);
       p <= std::min(rule.communicators.ranks.last, limits.most_ranks); ++p) {
    if (find_library_algorithm(table.target(), table.version(), rule.collective, rule.choice.library_name,
                               rule.choice.algorithm, p) != nullptr) {
      able.push_back(p);
    }
  }
  if (able.size() > 2) {
    able = {able.front(), able.back()};
  }
  return able;
}

std::string word_of(const ProofCall& call) {
  return fmt::format("{}:{}:{}", name_of(call.rule->collective), call.ranks, call.bytes);
}

/// What each call's line says, by its word.
using Traces = std::map<std::string, std::vector<SeenAlgorithm>>;

struct ProofRun {
  Traces traces{};
  std::string failure{};  ///< why the job ended early
};

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
  std::vector<std::string> command{"sh", "-c", "POSTAGE_NODES=1; POSTAGE_TUNED=\"$0\"; . \"$0/env.sh\"; exec \"$@\"",
                                   folder.string()};
  const std::vector<std::string> job = launch_command(target, words);
  command.insert(command.end(), job.begin(), job.end());
  return command;
}

ProofRun run_proof(const std::vector<std::string>& command, Seconds time_limit) {
  constexpr std::string_view kMark = "postage-proof\t";
  ProofRun run;
  RunHooks hooks;
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

/// Calls that the file says to do as their rule does, a few a rule; rules without any are rows already.
class ProofPlan {
 public:
  ProofPlan(const DecisionTable& table, const ProofLimits& limits) : table_(table), limits_(limits) {
    for (const NodeRules& part : rules_by_nodes(table)) {
      if (part.nodes.contains(1)) {
        part_ = part;
      }
    }
  }

  void make() {
    for (const DecisionRule& rule : table_.rules()) {
      if (!rule.communicators.nodes.contains(1)) {
        leave_out(rule, ProofVerdict::kNotTried,
                  fmt::format("it is for {} nodes and more", rule.communicators.nodes.first));
      } else {
        add_calls(rule);
      }
    }
  }

  std::vector<ProofCall> calls{};
  std::vector<ProofRow> rows{};

 private:
  void leave_out(const DecisionRule& rule, ProofVerdict verdict, std::string reason) {
    rows.push_back({.call = {&rule, rule.communicators.ranks.first, rule.bytes.first},
                    .verdict = verdict,
                    .reason = std::move(reason)});
  }

  void add_calls(const DecisionRule& rule) {
    const std::vector<Rank> ranks = proof_ranks(table_, rule, limits_);
    const LibraryAlgorithm* const algorithm = find_library_algorithm(table_.target(), table_.version(), rule.collective,
                                                                     rule.choice.library_name, rule.choice.algorithm);
    std::vector<ProofCall> fitting;
    for (const Rank p : ranks) {
      for (const Bytes bytes : proof_sizes(rule, algorithm, p, limits_)) {
        fitting.push_back({&rule, p, bytes});
      }
    }
    if (fitting.empty()) {
      leave_out(rule, ProofVerdict::kNotTried,
                fmt::format("it is for more than {} ranks or {} bytes, or for none of them", limits_.most_ranks,
                            limits_.most_bytes));
      return;
    }
    const EmittedBlocks made = emitted_blocks(table_, part_.rules, rule.collective);
    std::erase_if(fitting, [&](const ProofCall& call) { return !is_emitted(made, table_, call); });
    const auto same = [](const ProofCall& a, const ProofCall& b) { return a.ranks == b.ranks && a.bytes == b.bytes; };
    fitting.erase(std::unique(fitting.begin(), fitting.end(), same), fitting.end());
    if (fitting.empty()) {
      leave_out(rule, ProofVerdict::kNotInForce, "the library's file cannot say it: see the notes of postage emit");
    }
    calls.insert(calls.end(), fitting.begin(), fitting.end());
  }

  const DecisionTable& table_;
  const ProofLimits& limits_;
  NodeRules part_;
};

}  // namespace

std::vector<ProofCall> proof_calls(const DecisionTable& table, const ProofLimits& limits) {
  ProofPlan plan(table, limits);
  plan.make();
  return plan.calls;
}

std::vector<ProofRow> prove(const DecisionTable& table, const fs::path& folder, const ProofLimits& limits) {
  check_release(table);
  if (!fs::exists(folder / "env.sh")) {
    throw UsageError(fmt::format("there is no env.sh in {}: name a folder that postage emit or postage tune wrote",
                                 folder.string()));
  }
  ProofPlan plan(table, limits);
  plan.make();
  if (plan.calls.empty()) {
    return plan.rows;
  }
  const ProofRun run = run_proof(proof_command(table, fs::absolute(folder), plan.calls), limits.time_limit);
  for (const ProofCall& call : plan.calls) {
    const auto trace = run.traces.find(word_of(call));
    if (trace != run.traces.end()) {
      plan.rows.push_back(judge(table, call, trace->second));
    } else {
      const std::string why = run.failure.empty() ? "the program said nothing of it"
                                                  : fmt::format("the program ended before: {}", run.failure);
      plan.rows.push_back({.call = call, .verdict = ProofVerdict::kNotInForce, .reason = why});
    }
  }
  return plan.rows;
}

}  // namespace postage
