#pragma once

#include "preload/call.hpp"
#include "preload/communicator.hpp"
#include "preload/observation.hpp"

namespace postage::preload {

/// A blocking collective of the program: `make()` gives its arguments, `forward()` calls the next tool's or the
/// library's own function and returns its result.
template <typename Make, typename Forward>
int intercept(MPI_Comm handle, const Make& make, const Forward& forward) {
  if (job().observer != nullptr && communicator_of(handle) != nullptr) [[unlikely]] {
    const Seconds began = now();
    const int result = forward();
    observe_collective(make(), began, nullptr);
    return result;
  }
  return forward();
}

}  // namespace postage::preload
