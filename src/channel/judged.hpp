#pragma once

#include "channel/past_caches.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace postage::channel {

/// What a receiver counts of a long message by which a way is judged. Waiting for pieces does not count: a peer that
/// comes late changes nothing.
struct Judged {
  enum class As : std::uint8_t {
    kNothing,
    kExchange,  ///< it crossed one of this rank's
    kOffer,     ///< it did not, and may be read or pushed
  };

  As as = As::kNothing;
  bool is_timed = false;   ///< its cost matters
  bool is_pushed = false;  ///< its sender is asked to push what it offered
  bool was_ahead = false;  ///< its sender had sent more than it by then
  std::uint32_t pieces = 1;
  std::uint32_t written = 0;  ///< ticks that its sender took to put it into chunks
  Ticks took = 0;             ///< ... and this rank to copy it

  /// What a pushed message takes: both copies run at the same time, but for one piece. In a stream the next message
  /// fills that gap.
  [[nodiscard]] double by_two_copies() const {
    const auto ours = static_cast<double>(took);
    const auto theirs = static_cast<double>(written);
    return std::max(ours, theirs) + (was_ahead ? 0 : std::min(ours, theirs) / pieces);
  }
};

/// As a record carries them; who takes longer has been interrupted.
[[nodiscard]] inline std::uint32_t short_ticks(Ticks ticks) {
  return static_cast<std::uint32_t>(std::min<Ticks>(ticks, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace postage::channel
