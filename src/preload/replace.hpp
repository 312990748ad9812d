#pragma once

#include "preload/call.hpp"
#include "preload/communicator.hpp"

namespace postage::preload {

/// Carries the collective out, if it is to be replaced; on all ranks or on none. Returns the name of what it used;
/// nullptr: the library's own is to be called.
[[nodiscard]] const char* replace(Communicator& communicator, const CollectiveCall& call);

void agree_on_group(Communicator& communicator);

/// At the end of a call that is a probe, on all ranks.
void end_probe(Communicator& communicator);

/// A collective that does not surely pass through: `forward()` calls the library's own. `algorithm`: as replace()
/// returns it.
template <typename Forward>
int replace_or(Communicator& communicator, const CollectiveCall& call, const Forward& forward, const char*& algorithm) {
  algorithm = replace(communicator, call);
  const int result = algorithm != nullptr ? MPI_SUCCESS : forward();
  if (communicator.selector != nullptr && communicator.selector->is_timing()) [[unlikely]] {
    end_probe(communicator);
  }
  return result;
}

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
