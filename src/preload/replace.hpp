#pragma once

#include "preload/call.hpp"
#include "preload/communicator.hpp"
#include "preload/observation.hpp"

namespace postage::preload {

/// Carries the collective out, if it is to be replaced; on all ranks or on none. Returns the name of what it used;
/// nullptr: the library's own is to be called.
[[nodiscard]] const char* replace(Communicator& communicator, const CollectiveCall& call);

/// At the end of a call that is a probe, on all ranks.
void end_probe(Communicator& communicator);

/// A collective that does not surely pass through: `forward()` calls the library's own; `observe(outcome)` is called
/// when it has returned.
template <typename Forward, typename Observe>
int replace_or(Communicator& communicator, const CollectiveCall& call, const Forward& forward, const Observe& observe) {
  const char* const algorithm = replace(communicator, call);
  const int result = algorithm != nullptr ? MPI_SUCCESS : forward();
  const bool is_probe = communicator.selector != nullptr && communicator.selector->is_timing();
  observe(Outcome{algorithm, is_probe ? communicator.selector->probe_kind() : Probe::kNone});
  if (is_probe) [[unlikely]] {
    end_probe(communicator);
  }
  return result;
}

/// A communicator is worth a group after so many collectives: those that live shorter pay nothing.
inline constexpr std::uint32_t kUsesBeforeGroup = 7;

/// Whether it has no group yet, if it is to have one.
[[nodiscard]] inline bool is_early(const Communicator& communicator) {
  return communicator.calls < kUsesBeforeGroup;
}

/// Counts an early collective that has returned `result`, and agrees on the group after the last one. All ranks count
/// the same: not what one of them alone gave wrong arguments to, and may repeat. Returns the result.
int count_call(Communicator& communicator, int result);

}  // namespace postage::preload
