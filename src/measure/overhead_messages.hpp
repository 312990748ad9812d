#pragma once

#include <postage/samples/experiment.hpp>

#include <algorithm>

namespace postage {

/// Messages with which one times what sending or receiving one of them keeps a rank: 8, so that the clock's tick does
/// not show, but no more than 8 KiB in all where that leaves 1, so that they fit what a sender may leave behind.
inline void choose_overhead_messages(Experiment& e) {
  constexpr Bytes most_bytes = Bytes{8} << 10;
  e.messages = static_cast<int>(std::clamp<Bytes>(most_bytes / std::max<Bytes>(e.bytes, 1), 1, 8));
}

}  // namespace postage
