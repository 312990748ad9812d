#include "tuning/lint/openmpi/tuned_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace postage {
namespace {

/// One rule with all that says where it holds.
struct RulePlace {
  const TunedSection& section;
  const TunedBlock& block;
  const TunedRule& rule;
  std::string_view collective;
  LintFindings& findings;

  void add(LintEffect effect, std::string check, std::string what, std::string instead) const {
    findings.add(rule.line, effect, std::move(check), std::move(what), std::move(instead));
  }
};

std::string list_of(const std::vector<LibraryAlgorithm>& algorithms) {
  std::string list = "0 (built-in decision)";
  for (const LibraryAlgorithm& algorithm : algorithms) {
    list += fmt::format(", {} {}", algorithm.number, algorithm.name);
  }
  return list;
}

std::string ranks_text(const TunedSpan& ranks) {
  if (ranks.last == kNoEnd) {
    return fmt::format("{} ranks and more", ranks.first);
  }
  return ranks.first == ranks.last ? fmt::format("{} ranks", ranks.first)
                                   : fmt::format("{} to {} ranks", ranks.first, ranks.last);
}

/// The span without communicators of one rank, which coll/self serves.
TunedSpan several_ranks(const TunedSpan& ranks) {
  return {std::max<std::int64_t>(ranks.first, 2), ranks.last};
}

bool all_can(const LibraryAlgorithm& algorithm, const TunedSpan& ranks) {
  const std::int64_t some = std::min(ranks.last, ranks.first + 2);  // no rule but kAny takes three in a row
  for (std::int64_t p = ranks.first; p <= some; ++p) {
    if (!can_do(algorithm, static_cast<Rank>(std::min<std::int64_t>(p, 1 << 30)))) {
      return false;
    }
  }
  return true;
}

std::string_view substitute(std::string_view collective, std::string_view name) {
  if (name == "recursive_doubling") {
    return "bruck";
  }
  return name == "neighbor" && (collective == "allgather" || collective == "allgatherv") ? "ring" : "another algorithm";
}

void check_ranks(const RulePlace& at, const LibraryAlgorithm& algorithm) {
  const TunedSpan ranks = several_ranks(at.block.ranks);
  if (ranks.is_empty() || all_can(algorithm, ranks)) {
    return;
  }
  if (algorithm.ranks == LibraryRankRule::kTwo) {
    at.add(LintEffect::kAborts, "two-proc",
           fmt::format("{} {} fails for other than 2 ranks, and this block is taken for {}", at.collective,
                       algorithm.name, ranks_text(ranks)),
           "a block for communicators of 2 ranks, and one from 3 on with another algorithm");
    return;
  }
  const bool is_power = algorithm.ranks == LibraryRankRule::kPowerOfTwo;
  at.add(LintEffect::kOtherAlgorithm, "ranks-rule",
         fmt::format("{} {} becomes {} where the number of ranks is {}, and this block is taken for {}", at.collective,
                     algorithm.name, substitute(at.collective, algorithm.name), is_power ? "no power of two" : "odd",
                     ranks_text(ranks)),
         fmt::format("blocks that hold for {} only, with another algorithm between them",
                     is_power ? "powers of two" : "even numbers of ranks"));
}

void check_elements(const RulePlace& at, const LibraryAlgorithm& algorithm) {
  const std::int64_t ranks = several_ranks(at.block.ranks).first;
  const bool is_ring = algorithm.takes_segment && at.rule.segment > 1 && at.rule.segment < kNoEnd / ranks;
  const std::int64_t least = is_ring ? ranks * at.rule.segment : ranks;
  if (algorithm.least_elements_per_rank == 0 || at.rule.bytes.first >= least) {
    return;
  }
  const bool is_allreduce_ring = at.collective == "allreduce" && algorithm.name != "rabenseifner";
  at.add(LintEffect::kOtherAlgorithm, "few-elements",
         fmt::format("{} {} becomes {} for fewer {} than ranks", at.collective, algorithm.name,
                     is_ring             ? "ring"
                     : is_allreduce_ring ? "recursive doubling"
                                         : "linear",
                     is_ring ? "segments" : "elements"),
         fmt::format("a rule for smaller messages before it, and this one from at least {} bytes on", least));
}

bool takes_fan_out(const RulePlace& at, const LibraryAlgorithm& algorithm) {
  return !algorithm.fan_out.empty() || (at.collective == "allgather" && algorithm.name == "bruck-k-fanout");
}

/// coll_base_topo.c builds chains of 1 to 32, and says so in debug builds only.
void check_chains(const RulePlace& at, const LibraryAlgorithm& algorithm) {
  constexpr std::int64_t kMostChains = 32;
  if (algorithm.fan_out != "chains" || (at.rule.fan_out >= 1 && at.rule.fan_out <= kMostChains)) {
    return;
  }
  const bool is_none = at.rule.fan_out < 1;
  at.add(LintEffect::kMisread, "fan-out",
         fmt::format("the fan-out {} of {} {} is taken as {}", at.rule.fan_out, at.collective, algorithm.name,
                     is_none ? "1, which is a pipeline" : fmt::format("{}", kMostChains)),
         is_none ? "the number of chains, or the algorithm pipeline" : fmt::format("at most {}", kMostChains));
}

void check_parameters(const RulePlace& at, const LibraryAlgorithm& algorithm) {
  check_chains(at, algorithm);
  if (at.rule.fan_out != 0 && !takes_fan_out(at, algorithm)) {
    at.add(LintEffect::kNoEffect, "fan-out",
           fmt::format("the fan-out {} has no effect on {} {}", at.rule.fan_out, at.collective, algorithm.name),
           algorithm.name == "knomial" ? "0 here; the radix is coll_tuned_bcast_algorithm_knomial_radix" : "0");
  }
  if (at.rule.segment != 0 && !algorithm.takes_segment) {
    at.add(LintEffect::kNoEffect, "segment",
           fmt::format("the segment size {} has no effect on {} {}", at.rule.segment, at.collective, algorithm.name),
           "0");
  }
  if (at.rule.requests != 0 && !(at.collective == "alltoall" && algorithm.name == "linear_sync")) {
    at.add(LintEffect::kNoEffect, "requests",
           fmt::format("the number of requests {} has no effect on {} {}", at.rule.requests, at.collective,
                       algorithm.name),
           "0; alltoall linear_sync alone has it");
  }
}

void check_algorithm(const RulePlace& at, const std::vector<LibraryAlgorithm>& algorithms, bool drops) {
  if (at.rule.algorithm == 0) {
    if (at.rule.fan_out != 0 || at.rule.segment != 0) {
      at.add(LintEffect::kNoEffect, "segment",
             "algorithm 0 is the built-in decision, which sets fan-out and segment itself", "0 0");
    }
    return;
  }
  const auto found = std::ranges::find(algorithms, at.rule.algorithm, &LibraryAlgorithm::number);
  if (found == algorithms.end()) {
    at.add(drops ? LintEffect::kRuleIgnored : LintEffect::kAborts, "algorithm",
           fmt::format("{} has no algorithm {}: {}", at.collective, at.rule.algorithm,
                       drops ? "the rule is left out" : "the call fails with MPI_ERR_ARG"),
           fmt::format("one of {}", list_of(algorithms)));
    return;
  }
  check_ranks(at, *found);
  check_elements(at, *found);
  check_parameters(at, *found);
}

bool same_action(const TunedRule& a, const TunedRule& b) {
  return a.algorithm == b.algorithm && a.fan_out == b.fan_out && a.segment == b.segment;
}

/// Rules of a block that differ, where the library's notion of a size allows only one.
void check_number_of_rules(const TunedSection& section, const TunedBlock& block, LintFindings& findings) {
  const std::string_view name = open_mpi_collective(section.collective);
  const auto other = std::ranges::find_if(block.rules, [&](const TunedRule& rule) {
    return !rule.bytes.is_empty() && !same_action(rule, block.rules.front());
  });
  if (other == block.rules.end()) {
    return;
  }
  if (name == "scatter" || name == "gather") {
    findings.add(
        other->line, LintEffect::kDeadlocks, "rooted-sizes",
        fmt::format("ranks may choose different algorithms for one {}, since its count need not be given on all "
                    "of them",
                    name),
        "one rule, from size 0, for each communicator size");
  } else if (!has_sizes(section.collective)) {
    findings.add(other->line, LintEffect::kNoEffect, "no-sizes",
                 fmt::format("the size of {} is always 0: only the first rule is read", name), "one rule, of size 0");
  } else if (name == "scan" || name == "exscan") {
    findings.add(other->line, LintEffect::kMisread, "scan-sizes",
                 fmt::format("the size of {} is that of one element times the ranks, whatever the count", name),
                 "one rule, of size 0");
  }
}

}  // namespace

void report_if_empty(const TunedSection& section, LintFindings& findings) {
  if (std::ranges::all_of(section.blocks, [](const TunedBlock& block) { return block.rules.empty(); })) {
    findings.add(section.line, LintEffect::kNoEffect, "empty",
                 fmt::format("{} has no rules", open_mpi_collective(section.collective)),
                 "at least one, or to leave it out");
  }
}

void check_tuned_section(const TunedSection& section, const LibraryVersion& version, bool drops,
                         LintFindings& findings) {
  const std::vector<LibraryAlgorithm> algorithms = tuned_algorithms(section.collective, version);
  const std::string_view name = open_mpi_collective(section.collective);
  if (algorithms.empty()) {
    findings.add(section.line, LintEffect::kNoEffect, "collective",
                 fmt::format("coll/tuned has no algorithms of {} to choose from", name), "to leave it out");
    return;
  }
  for (const TunedBlock& block : section.blocks) {
    if (block.ranks.is_empty()) {
      continue;
    }
    for (const TunedRule& rule : block.rules) {
      if (!rule.bytes.is_empty()) {
        check_algorithm({section, block, rule, name, findings}, algorithms, drops);
      }
    }
    check_number_of_rules(section, block, findings);
  }
}

}  // namespace postage
