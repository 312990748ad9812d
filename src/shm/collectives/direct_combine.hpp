#pragma once

#include "shm/collectives/direct_state.hpp"

namespace postage::shm {

/// The contributions to a reduction that ranks have posted for a step, and how to combine them.
class Contributions {
 public:
  /// `own`: this rank's from byte `own_offset` on, where it lies and stays until the step is done. Rather where the
  /// program has it than where it was just copied to, whose lines peers are taking: that costs 80 ns of 200.
  Contributions(DirectState& state, std::uint64_t step, const std::byte* own, const ReduceOperation& operation,
                Bytes own_offset = 0)
      : state_(state), step_(step), own_(own), operation_(operation), own_offset_(own_offset) {}

  /// out = x_first op ... op x_last, of bytes [offset, offset + bytes), in parts that stay in a cache. The same result
  /// on every rank that asks, whatever the operation. `out` may be the own contribution's place.
  void combine(std::int32_t first, std::int32_t last, Bytes offset, Bytes bytes, std::byte* out);
  /// out + r * bytes = x_0 op ... op x_r for each rank r, of bytes [offset, offset + bytes); `out` is nobody's
  /// contribution.
  void combine_each(Bytes offset, Bytes bytes, std::byte* out);

 private:
  void combine_part(std::int32_t first, std::int32_t last, Bytes offset, Bytes bytes, std::byte* out);
  [[nodiscard]] const std::byte* own_at(Bytes offset) const { return own_ + (offset - own_offset_); }
  [[nodiscard]] const std::byte* look(std::int32_t rank, Bytes offset, std::byte* room, Bytes bytes);

  DirectState& state_;
  std::uint64_t step_;
  const std::byte* own_;
  const ReduceOperation& operation_;
  Bytes own_offset_;
};

/// What one of two ranks wants of both contributions.
struct CombinedForOne {
  std::int32_t taker = 0;
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;  ///< at the other rank where its own contribution goes; nullptr if nowhere
  Bytes bytes = 0;
};

[[nodiscard]] bool is_combined_by_both(const DirectState& state, Bytes bytes);
/// The taker combines the first part. The other rank combines the rest, and writes it into the taker's memory.
void combine_by_both(DirectState& state, const CombinedForOne& wanted, const ReduceOperation& operation);

}  // namespace postage::shm
