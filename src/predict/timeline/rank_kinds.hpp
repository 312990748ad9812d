#pragma once

#include "predict/node_ranks.hpp"

#include <optional>

namespace postage {

/// Ranks of which all do the same at the same time: all ranks, or those that have one slot of their nodes. So it is in
/// rings, exchanges and disseminations on nodes that are full.
class RankKinds {
 public:
  /// Nothing where ranks may differ otherwise.
  [[nodiscard]] static std::optional<RankKinds> of(const Schedule& schedule, const ChannelMap& channels);

  [[nodiscard]] Rank count() const { return count_; }
  /// Rank i is one of kind i.
  [[nodiscard]] std::size_t of(Rank rank) const { return static_cast<std::size_t>(rank % count_); }

 private:
  explicit RankKinds(Rank count) : count_(count) {}

  Rank count_;
};

}  // namespace postage
