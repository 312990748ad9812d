#pragma once

#include "shm/segment/layout.hpp"

#include <postage/shm/thresholds.hpp>

#include <cstdint>
#include <span>

namespace postage::shm {

/// Hardware threads that the calling thread may run on.
[[nodiscard]] PuSet allowed_pus();
void add(PuSet& to, const PuSet& more);
[[nodiscard]] std::int32_t count(const PuSet& set);

/// The locality level of two ranks that may run anywhere in `a` and `b`: for bound ranks that of their cores, for
/// others the farthest that is possible.
[[nodiscard]] LocalityLevel farthest_level(std::span<const PuLocation> locations, const PuSet& a, const PuSet& b);

}  // namespace postage::shm
