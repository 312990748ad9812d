#pragma once

#include "schedule/patterns/embedding.hpp"

#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <optional>
#include <vector>

namespace postage {

/// What the blocks of a phase's schedule are.
enum class PartBlocks {
  kToken,       ///< nothing: messages are all that counts
  kVector,      ///< equal shares of one vector
  kEverything,  ///< equal shares of all ranks' blocks
  kMembers,     ///< one for each member of a group, or each node
};

/// A phase's schedule in one group of nodes, or among the leaders.
struct Part {
  Schedule schedule;
  Embedding embedding;
  PartBlocks blocks = PartBlocks::kVector;
};

/// bcast, reduce, allreduce: one vector, which the algorithm cuts as it needs.
[[nodiscard]] bool is_vector(Collective collective);

/// Makes each of the part's `shares` blocks stand for an equal share of `blocks` blocks.
void share_out(Index blocks, Index shares, Embedding& embedding);

/// Builds the parts of a node-aware collective from the algorithms chosen.
class PartBuilder {
 public:
  PartBuilder(Collective collective, const ScheduleRequest& request, const NodeMap& map);

  /// Of the whole collective; empty for vectors and the barrier.
  [[nodiscard]] const BlockLayout& layout() const { return layout_; }

  [[nodiscard]] std::vector<Part> up(Collective collective, const NodePart& part) const;
  [[nodiscard]] Part across(Collective collective, const NodePart& part) const;
  [[nodiscard]] std::vector<Part> down(Collective collective, const NodePart& part) const;

 private:
  [[nodiscard]] PartBlocks usual_blocks() const;
  [[nodiscard]] PartBlocks down_blocks() const;
  [[nodiscard]] MemberBlocks stand_for(Collective collective) const;
  [[nodiscard]] std::vector<Part> within_nodes(Collective collective, const NodePart& part, PartBlocks blocks) const;
  [[nodiscard]] Embedding leaders_embedding(PartBlocks blocks) const;
  [[nodiscard]] Part part_of(Collective collective, const NodePart& part, Index ranks, Index root, PartBlocks blocks,
                             Embedding embedding) const;
  [[nodiscard]] Bytes bytes_of_part(Index ranks, PartBlocks blocks, const Embedding& embedding) const;
  [[nodiscard]] Index largest_weight(const Embedding& embedding) const;
  [[nodiscard]] Bytes largest_block(Index ranks, const Embedding& embedding) const;

  Collective collective_;
  const ScheduleRequest& request_;
  const NodeMap& map_;
  std::optional<Rank> root_;
  BlockLayout layout_;
};

}  // namespace postage
