#pragma once

#include <postage/measure/collective_run.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postage {

/// Collectives that a campaign times between its other experiments, and that no parameter is fitted to.
struct HeldOutDraw {
  std::size_t count = 0;  ///< at most
  std::uint64_t seed = 1;
  /// Sizes at which protocols change, where they are known: half of the sizes drawn are these, or a byte beside.
  std::vector<Bytes> limits{};
  bool is_virtual = false;  ///< a simulator takes time for each message: fewer of them
};

/// Enough for 95 % intervals from one half, after the other half has chosen a model.
inline constexpr std::size_t kUsualHeldOut = 60;

/// The largest part of a campaign's time that its held-out collectives may take.
inline constexpr double kHeldOutShare = 0.15;

/// Held-out collectives for a job of so many ranks, the same for the same arguments: algorithms whole and in segments,
/// each drawn before any is drawn again; sizes from 16 to 1M, about a third of them at and beside the powers of two at
/// which libraries change their protocol, unless the limits are known; any root; all ranks, or (one in eight, and where
/// all would take too many messages or too much memory) the first few. None for fewer than two ranks.
[[nodiscard]] std::vector<CollectiveRun> draw_held_out(Rank ranks, const HeldOutDraw& draw);

}  // namespace postage
