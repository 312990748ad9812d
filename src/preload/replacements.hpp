#pragma once

#include "preload/call.hpp"
#include "preload/decision.hpp"
#include "preload/nodes/across_nodes.hpp"
#include "preload/probes/selector.hpp"
#include "preload/schedules/tree_schedules.hpp"

#include <postage/base/units.hpp>
#include <postage/shm/direct_group.hpp>

#include <cstdint>

namespace postage::preload {

/// Where a collective is to be carried out.
struct Context {
  DirectGroup* direct;   ///< nullptr where nothing is decided to be replaced
  AcrossNodes* across;   ///< nullptr where all ranks share a node
  TreeSchedules* trees;  ///< nullptr where there are no schedule files for this communicator
  Selector* selector;    ///< nullptr where no probes decide
  std::int32_t rank;
  std::int32_t ranks;
  const Decisions& decisions;
  mutable const char* algorithm = nullptr;  ///< what was used, once it was

  mutable Candidate chosen = Candidate::kUnknown;
  mutable Entry asked = Entry::kBarrier;  ///< what `chosen` is for

  /// Whether a collective of this signature is replaced. Asked at most once for a call.
  [[nodiscard]] bool decides(Entry entry, Bytes bytes) const {
    asked = entry;
    chosen = selector != nullptr ? selector->choose(entry, bytes) : Candidate::kUnknown;
    return chosen == Candidate::kUnknown ? decisions.replaces(entry, bytes) : chosen != Candidate::kLibrary;
  }
  /// Whether a schedule file is for it, whatever its size.
  [[nodiscard]] bool follows_tree(Collective collective, std::int32_t root) const {
    return trees != nullptr && trees->serves(collective, root);
  }
  /// Calls act with what has the collectives that ranks of one node and of several have.
  template <typename Act>
  void carry_out(const Act& act) const {
    if (across != nullptr) {
      algorithm = "node-aware";
      act(*across);
    } else {
      within_node(act);
    }
  }
  /// Calls act with what has all collectives.
  template <typename Act>
  void within_node(const Act& act) const {
    algorithm = name_of(chosen);
    direct->set_copied_bytes(chosen == Candidate::kUnknown ? built_in_copied_bytes(asked, ranks)
                                                           : copied_bytes(chosen));
    act(*direct);
  }
  template <typename Act>
  void along_tree(const Act& act) const {
    algorithm = "tree";
    act(*trees);
  }
  /// Calls act with either, of a v-variant whose sizes not all ranks know.
  template <typename Act>
  void carry_out_irregular(bool follows_tree, const Act& act) const {
    if (follows_tree) {
      along_tree(act);
    } else {
      within_node(act);
    }
  }
  /// Calls act with either, by the collectives that both have.
  template <typename Act>
  void carry_out(bool follows_tree, const Act& act) const {
    if (follows_tree) {
      along_tree(act);
    } else {
      carry_out(act);
    }
  }
};

// Each returns false, before anything was done, where the library's own function is to be called instead: by the
// decision, or since an argument is invalid, so that the program's error handler sees the library's own error.

[[nodiscard]] bool replace_barrier(const Context& on);
[[nodiscard]] bool replace_bcast(const Context& on, const CollectiveCall& call);
/// Reduce, allreduce, scan, exscan, reduce_scatter, reduce_scatter_block.
[[nodiscard]] bool replace_reduction(const Context& on, const CollectiveCall& call);
/// Gather, allgather; gatherv, allgatherv.
[[nodiscard]] bool replace_gathering(const Context& on, const CollectiveCall& call);
[[nodiscard]] bool replace_irregular_gathering(const Context& on, const CollectiveCall& call);
/// Scatter, alltoall; scatterv, alltoallv.
[[nodiscard]] bool replace_scattering(const Context& on, const CollectiveCall& call);
[[nodiscard]] bool replace_irregular_scattering(const Context& on, const CollectiveCall& call);

/// Whether data can be there: memory at address 0 (MPI_BOTTOM) only by a datatype that says where.
[[nodiscard]] inline bool is_memory(const void* buffer, Bytes bytes, bool contiguous) {
  return bytes == 0 || !contiguous || buffer != nullptr;
}

}  // namespace postage::preload
