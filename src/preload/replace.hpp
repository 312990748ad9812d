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

/// Counts a collective of the communicator, up to the one at which it agrees on its group. All its ranks count the
/// same.
inline void count_call(Communicator& communicator) {
  if (communicator.calls < kUsesBeforeGroup && ++communicator.calls == kUsesBeforeGroup) [[unlikely]] {
    agree_on_group(communicator);
  }
}

}  // namespace postage::preload
