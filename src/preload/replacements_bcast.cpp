#include "preload/buffers.hpp"
#include "preload/replacements.hpp"

namespace postage::preload {

bool replace_barrier(const Context& on) {
  if (!on.decides(Entry::kBarrier, 0)) {
    return false;
  }
  on.carry_out([](auto& group) { group.barrier(); });
  return true;
}

bool replace_bcast(const Context& on, const CollectiveCall& call) {
  if (call.receive == MPI_IN_PLACE || call.receive_count < 0 || !is_usable(call.receive_type) || call.root < 0 ||
      call.root >= on.ranks) {
    return false;
  }
  const Datatype type = describe(call.receive_type);
  const Bytes bytes = call.receive_count * type.size;
  const bool by_tree = on.follows_tree(Collective::kBcast, call.root);
  if (!is_memory(call.receive, bytes, type.is_contiguous) || !(by_tree || on.decides(Entry::kBcast, bytes))) {
    return false;
  }
  ReceivedBlocks buffer(call.receive, call.receive_count, type, 1);
  if (on.rank == call.root) {
    buffer.load(0);
  }
  on.carry_out(by_tree, [&](auto& group) { group.bcast({buffer.data(), static_cast<std::size_t>(bytes)}, call.root); });
  if (on.rank != call.root) {
    buffer.store();
  }
  return true;
}

}  // namespace postage::preload
