#pragma once

#include <postage/schedule/schedule.hpp>

#include <memory>
#include <vector>

namespace postage {

/// How a schedule among the members of a group is one among all ranks.
struct Embedding {
  /// `inner` is filled in from each pattern.
  GroupedNumbering numbering{};
  /// What the schedule's blocks stand for; null where its messages carry nothing but themselves.
  std::shared_ptr<const BlockExpansion> expansion{};
  MemberBlocks stand_for = MemberBlocks::kOwn;
  Index ranks = 0;
  Index groups = 0;
  BlockLayout weights{};
};

/// The stages of `part`, in every group at once. `where` goes before their names.
[[nodiscard]] std::vector<Stage> embedded_stages(const Schedule& part, const Embedding& embedding,
                                                 const std::string& where);

/// Adds stages of other ranks, which do not depend on those in `stages`: into the stage of the same name where their
/// shapes allow, so that their rounds count as one, else beside it.
void join_stages(std::vector<Stage>& stages, std::vector<Stage> others);

}  // namespace postage
