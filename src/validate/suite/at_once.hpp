#pragma once

#include <cstddef>
#include <functional>

namespace postage {

/// Calls work(i) for i from 0 to count - 1, beginning with the first ones, from as many threads as simulations fit this
/// machine: one a core, of 2 GiB of memory each. Begins nothing more after an exception, and throws it.
void run_at_once(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace postage
