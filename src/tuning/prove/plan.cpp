#include "tuning/prove/plan.hpp"

#include "tuning/emit/blocks.hpp"

#include <postage/tuning/emit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace postage {
namespace {

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

class PlanMaker {
 public:
  PlanMaker(const DecisionTable& table, const ProofLimits& limits) : table_(table), limits_(limits) {
    for (const NodeRules& part : rules_by_nodes(table)) {
      if (part.nodes.contains(1)) {
        part_ = part;
      }
    }
  }

  ProofPlan make() {
    for (const DecisionRule& rule : table_.rules()) {
      if (rule.communicators.nodes.contains(1)) {
        add_beside(rule);
      }
    }
    for (const DecisionRule& rule : table_.rules()) {
      if (!rule.communicators.nodes.contains(1)) {
        leave_out(rule, ProofVerdict::kNotTried,
                  fmt::format("it is for {} nodes and more", rule.communicators.nodes.first));
      } else {
        add_calls(rule);
      }
    }
    return std::move(plan_);
  }

 private:
  /// Just outside of a rule, where the table has no other. Of more ranks thresholds of sizes that depend on their
  /// number are not exact.
  void add_beside(const DecisionRule& rule) {
    constexpr Rank kMostExact = 10;
    const ProofLimits inside{std::min(limits_.most_ranks, kMostExact), limits_.most_bytes, limits_.time_limit};
    for (const Rank p : proof_ranks(table_, rule, inside)) {
      const Bytes before = (rule.bytes.first - 1) / kDouble * kDouble;
      const Bytes behind = rule.bytes.last < inside.most_bytes ? (rule.bytes.last / kDouble + 1) * kDouble : 0;
      for (const Bytes bytes : {before, behind}) {
        add_beside(rule, p, bytes);
      }
    }
    const Bytes within = (std::max(rule.bytes.first, kDouble) + kDouble - 1) / kDouble * kDouble;
    const Span<Rank> ranks = rule.communicators.ranks;
    if (rule.bytes.contains(within)) {
      add_beside(rule, ranks.first - 1, within);
      add_beside(rule, ranks.last < inside.most_ranks ? ranks.last + 1 : 0, within);
    }
  }

  void add_beside(const DecisionRule& rule, Rank ranks, Bytes bytes) {
    const bool is_possible = ranks >= 2 && ranks <= limits_.most_ranks && bytes >= kDouble &&
                             bytes <= limits_.most_bytes && rule.collective != Collective::kBarrier;
    if (!is_possible || table_.lookup(rule.collective, ranks, 1, bytes) != nullptr) {
      return;
    }
    const bool is_known = std::ranges::any_of(plan_.beside, [&](const ProofCall& other) {
      return other.rule->collective == rule.collective && other.ranks == ranks && other.bytes == bytes;
    });
    if (!is_known) {
      plan_.beside.push_back({&rule, ranks, bytes, true});
    }
  }

  void leave_out(const DecisionRule& rule, ProofVerdict verdict, std::string reason) {
    plan_.rows.push_back({.call = {&rule, rule.communicators.ranks.first, rule.bytes.first},
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
    plan_.calls.insert(plan_.calls.end(), fitting.begin(), fitting.end());
  }

  const DecisionTable& table_;
  const ProofLimits& limits_;
  NodeRules part_;
  ProofPlan plan_;
};

}  // namespace

ProofPlan plan_proof(const DecisionTable& table, const ProofLimits& limits) {
  return PlanMaker(table, limits).make();
}

std::vector<ProofCall> proof_calls(const DecisionTable& table, const ProofLimits& limits) {
  const ProofPlan plan = plan_proof(table, limits);
  std::vector<ProofCall> all = plan.calls;
  all.insert(all.end(), plan.beside.begin(), plan.beside.end());
  return all;
}

}  // namespace postage
