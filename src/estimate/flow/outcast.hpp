#pragma once

#include <postage/base/units.hpp>

namespace postage {

/// Messages of one size from one rank, each started `apart` after the one before.
struct Outcast {
  int flows = 0;
  double bytes = 0;
  Seconds apart = 0;
  double per_byte = 0;  ///< of a message alone

  /// Mean moment at which one's bytes have come, after the first started, if all together take `shared_per_byte` for
  /// each. O(flows^2).
  [[nodiscard]] Seconds mean_end(double shared_per_byte) const;

  /// What all together take for a byte, if the mean end is `seen`, which is later than without sharing. O(flows^2).
  [[nodiscard]] double shared_per_byte(Seconds seen) const;
};

}  // namespace postage
