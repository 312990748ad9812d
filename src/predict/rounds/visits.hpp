#pragma once

#include "predict/rounds/iteration_classes.hpp"
#include "predict/rounds/measured_ranks.hpp"

#include <postage/model/model.hpp>

#include <optional>
#include <span>
#include <vector>

namespace postage {

/// Which iterations and ranks are looked at: one of each kind of node; besides, those that have parameters of their own
/// and their partners, in each iteration; or all.
enum class Coverage { kKinds, kMeasuredAndKinds, kAll };

/// What gives the sum of all: by kinds where no rank has parameters of its own and blocks have formulas; by kinds
/// beside the measured ranks where those are few, mappings are block or cyclic and nodes alike; else all.
[[nodiscard]] Coverage coverage_of(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                                   const NodeRanks& nodes, const MeasuredRanks& measured);

/// The iterations of a schedule's stages, and the ranks, that a sum over its rounds visits.
class Visits {
 public:
  /// All must outlive the object.
  Visits(const Schedule& schedule, const Model& model, const NodeRanks& nodes, const MeasuredRanks& measured,
         Coverage coverage);

  [[nodiscard]] std::vector<IterationClass> iterations(const Stage& stage) const;

  /// Of the round at `position`, each once. `nodes_alike`: what all_nodes_alike says of it. Valid until the next call.
  [[nodiscard]] std::span<const Rank> ranks(const RoundPosition& position, bool nodes_alike);

  /// In any round of a stage, node by node. Valid until the next call.
  [[nodiscard]] std::span<const Rank> ranks_of_stage(std::size_t stage, const std::vector<IterationClass>& classes);

 private:
  [[nodiscard]] std::vector<Rank> kinds(const RoundPosition& position) const;
  /// Nothing where all ranks have to be visited.
  [[nodiscard]] std::optional<std::vector<Rank>> beside_measured(const RoundPosition& position, bool nodes_alike) const;
  [[nodiscard]] std::optional<std::vector<Rank>> beside_measured_in(std::size_t stage) const;
  /// Measured ranks and their partners in any round of a stage.
  [[nodiscard]] std::optional<std::vector<Rank>> measured_in(std::size_t stage) const;
  /// Formulas tell which pairs a round has, and all of a pattern are of one size.
  [[nodiscard]] bool has_kinds(const RoundPosition& position) const;
  [[nodiscard]] bool has_kinds_throughout(std::size_t stage) const;
  [[nodiscard]] const Round& round_at(const RoundPosition& position) const {
    return schedule_.stages[position.stage].rounds[position.round];
  }

  const Schedule& schedule_;
  const NodeRanks& nodes_;
  const MeasuredRanks& measured_;
  Coverage coverage_;
  bool gets_;
  bool contention_;
  std::vector<Rank> everyone_;  ///< where all may have to be visited
  std::vector<Rank> visited_;
};

}  // namespace postage
