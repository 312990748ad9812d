#pragma once

#include "preload/call.hpp"
#include "preload/decision.hpp"
#include "preload/nodes/across_nodes.hpp"

#include <postage/base/units.hpp>
#include <postage/shm/direct_group.hpp>

#include <cstdint>

namespace postage::preload {

/// Where a collective is to be carried out.
struct Context {
  DirectGroup& direct;
  AcrossNodes* across;  ///< nullptr where all ranks share a node
  std::int32_t rank;
  std::int32_t ranks;
  const Decisions& decisions;

  /// Whether a collective of this signature is replaced.
  [[nodiscard]] bool decides(Entry entry, Bytes bytes) const { return decisions.replaces(entry, bytes); }
  /// Calls act with what has the collectives that ranks of one node and of several have.
  template <typename Act>
  void carry_out(const Act& act) const {
    if (across != nullptr) {
      act(*across);
    } else {
      act(direct);
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
