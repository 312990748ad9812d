#pragma once

#include <postage/tuning/decision_table.hpp>

#include <span>
#include <string>
#include <vector>

namespace postage {

/// A range of sizes as a library counts them, and what it is to do there: nullptr is its default.
struct EmittedRange {
  Span<Bytes> bytes{};
  const DecisionRule* rule = nullptr;
  const LibraryAlgorithm* algorithm = nullptr;
};

/// Communicators of some sizes, and their ranges without gaps from 0 to the end, of which neighbours differ.
struct EmittedBlock {
  Span<Rank> ranks{1};
  std::vector<EmittedRange> ranges{};
};

/// The rules of a table for jobs on some numbers of nodes: these parts are disjoint, and those without rules left out.
struct NodeRules {
  Span<std::int32_t> nodes{1};
  std::vector<DecisionRule> rules{};  ///< in the table's order
};
[[nodiscard]] std::vector<NodeRules> rules_by_nodes(const DecisionTable& table);

/// Collectives that have a rule, in the order of the rules.
[[nodiscard]] std::vector<Collective> collectives_of(std::span<const DecisionRule> rules);

struct EmittedBlocks {
  std::vector<EmittedBlock> blocks{};  ///< without gaps from 1 rank to the end
  std::vector<std::string> notes{};    ///< rules that are left out
};

/// What a library's file says of a collective. Blocks are cut where an algorithm cannot do a number of ranks, which
/// then has the default, and so that the library's size of a message is that of a rule within a tenth: exactly that for
/// communicators of up to 10 ranks. Where the library knows no sizes, or may not see the same on all ranks, a block has
/// one range: rules that hold for a part of the sizes are left out.
[[nodiscard]] EmittedBlocks emitted_blocks(const DecisionTable& table, std::span<const DecisionRule> rules,
                                           Collective collective);

/// True where the library sees one size of a call on all ranks, which depends on the count.
[[nodiscard]] bool sees_sizes(TuningTarget target, Collective collective);

}  // namespace postage
