#pragma once

#include "preload/call.hpp"
#include "preload/communicator.hpp"
#include "preload/datatype.hpp"
#include "preload/observation.hpp"
#include "preload/recent.hpp"
#include "preload/replace.hpp"

namespace postage::preload {

template <typename Make, typename Forward>
int intercept_observed(Communicator& communicator, const Make& make, const Forward& forward) {
  const Seconds began = now();
  const CollectiveCall call = make();
  const auto observe = [&](const Outcome& outcome) { observe_collective(call, began, now(), outcome); };
  if (communicator.is_replaced()) {
    return replace_or(communicator, call, forward, observe);
  }
  const int result = forward();
  observe({});
  return is_early(communicator) ? count_call(communicator, result) : result;
}

/// Whether the call is surely not replaced; known before its arguments are examined.
template <Entry kEntry>
bool passes_through(const CollectiveCall& call, const Communicator& on) {
  const PassedSizes& passed = on.decisions.passed(kEntry);
  if constexpr (kEntry == Entry::kBarrier) {
    return passed.contain(0);
  } else {
    if (passed.are_all() || passed.are_none()) {
      return passed.are_all();
    }
    const DecidedPart part = decided_part<kEntry>(call, on.rank, on.ranks);
    return part.is_known && passed.contain(part.count * size_of(part.type));
  }
}

/// A blocking collective of the program: `make()` gives its arguments, `forward()` calls the next tool's or the
/// library's own function and returns its result.
template <Entry kEntry, typename Make, typename Forward>
int intercept(MPI_Comm handle, const Make& make, const Forward& forward) {
  Communicator* const communicator = communicator_of(handle);
  if (communicator == nullptr) {
    return forward();
  }
  if (job().observer != nullptr) [[unlikely]] {
    return intercept_observed(*communicator, make, forward);
  }
  if (is_early(*communicator)) [[unlikely]] {
    return count_call(*communicator, forward());
  }
  if (passes_through<kEntry>(make(), *communicator)) {
    return forward();
  }
  return replace_or(*communicator, make(), forward, [](const Outcome&) {});
}

}  // namespace postage::preload
