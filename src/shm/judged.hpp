#pragma once

#include "shm/past_caches.hpp"

#include <cstdint>

namespace postage::shm {

/// What a receiver counts of a long message by which a way is judged.
struct Judged {
  enum class As : std::uint8_t {
    kNothing,
    kExchange,  ///< it crossed one of this rank's
    kOffer,     ///< it did not, and may be read or pushed
  };

  As as = As::kNothing;
  bool is_pushed = false;  ///< its sender is asked to push what it offered
  std::uint64_t turn = 0;  ///< of the judgement, when that was decided
  Ticks began = 0;         ///< when that was, or when this rank began to read
  /// This rank's copying. Of what it was asked to push, waiting counts: a sender that does something else meanwhile
  /// pushes nothing, while what it offered can be read at any time. Elsewhere it does not count: a peer that comes late
  /// changes nothing.
  Ticks took = 0;
};

}  // namespace postage::shm
