#pragma once

#include <cstddef>
#include <functional>

namespace postage {

/// Calls work(i) for i from 0 to count - 1, beginning with the first ones, from a thread for each core, four at most: a
/// simulation, the largest of what runs so, takes 2 GiB of memory. Begins nothing more after an exception, and throws
/// that of the smallest i, so that the same work fails with the same one.
void run_at_once(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace postage
