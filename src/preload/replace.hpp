#pragma once

#include "preload/call.hpp"
#include "preload/communicator.hpp"

namespace postage::preload {

/// Carries the collective out, if it is to be replaced; on all ranks or on none. Returns the name of what it used;
/// nullptr: the library's own is to be called.
[[nodiscard]] const char* replace(Communicator& communicator, const CollectiveCall& call);

void agree_on_group(Communicator& communicator);

/// A communicator is worth a group from this collective on: those that live shorter pay nothing.
inline constexpr std::uint32_t kUsesBeforeGroup = 8;

/// Counts a collective of the communicator, and agrees on its group when it has been used often enough. All its ranks
/// count the same.
inline void count_call(Communicator& communicator) {
  if (++communicator.calls == kUsesBeforeGroup) [[unlikely]] {
    agree_on_group(communicator);
  }
}

}  // namespace postage::preload
