#pragma once

#include <postage/base/units.hpp>
#include <postage/preload/entries.hpp>

#include <cstdint>

namespace postage::preload {

/// What a decision may depend on: it is equal on all ranks.
struct DecisionQuestion {
  Entry entry = Entry::kBarrier;
  std::int32_t ranks = 1;
  /// Of the signature: one block of gather, scatter, allgather and alltoall, the whole vector of bcast and reductions.
  /// 0 for barrier and v-variants, whose sizes differ.
  Bytes bytes = 0;
  bool single_copy = false;
  bool more_ranks_than_cores = false;
};

/// Whether the collective is carried out in peers' memory.
[[nodiscard]] bool uses_direct(const DecisionQuestion& question);

}  // namespace postage::preload
