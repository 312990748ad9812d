#pragma once

#include "preload/nodes/leaders.hpp"

#include <postage/base/units.hpp>
#include <postage/preload/entries.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace postage::preload {

/// What decisions about a communicator may depend on: it is equal on all its ranks.
struct CommunicatorShape {
  std::int32_t ranks = 1;
  std::int32_t nodes = 1;
  bool single_copy = false;
  bool more_ranks_than_cores = false;
};

/// For each blocking collective, the sizes at which it is replaced. A size is that of the signature: one block of
/// gather, scatter, allgather and alltoall, the whole vector of bcast and reductions, the mean block of reduce_scatter;
/// of gatherv and scatterv of two ranks the block that goes from one to the other, which both know. 0 for barrier and
/// for all other v-variants, whose sizes differ between ranks.
class Decisions {
 public:
  /// Of spans that begin and end at these sizes, in turn; the last one may have no end.
  using Bounds = std::vector<Bytes>;
  static constexpr Bytes kNever = std::numeric_limits<Bytes>::max();

  /// Nothing is replaced.
  Decisions() { least_.fill(kNever); }
  void set(Entry entry, Bounds bounds);

  /// Smaller ones are surely not replaced: what a call that passes through is asked first.
  [[nodiscard]] Bytes least(Entry entry) const { return least_[static_cast<std::size_t>(entry)]; }
  [[nodiscard]] bool replaces(Entry entry, Bytes bytes) const {
    bool replaced = false;
    for (const Bytes bound : bounds_[static_cast<std::size_t>(entry)]) {
      replaced = replaced != (bytes >= bound);
    }
    return replaced;
  }

 private:
  std::array<Bytes, kCollectiveEntries> least_{};
  std::array<Bounds, kCollectiveEntries> bounds_{};
};

/// What is replaced: by the file of decisions, if there is one, on several nodes; on one node, too, if it says anything
/// of that; otherwise by what was measured when the library was built. Of several nodes nothing was.
[[nodiscard]] Decisions decisions_for(const CommunicatorShape& shape);

/// Whether anything is replaced on communicators of so many ranks on several nodes.
[[nodiscard]] bool replaces_across_nodes(std::int32_t ranks, std::int32_t nodes);

/// The schedules among the leaders of so many ranks' nodes: those that the file says for one rank a node, or else for
/// the ranks themselves.
[[nodiscard]] Leaders::Choose leader_choices(std::int32_t ranks, std::int32_t nodes);

}  // namespace postage::preload
