#include "shm/segment/cpu_set.hpp"

#include <sched.h>

#include <bit>

namespace postage::shm {
namespace {

[[nodiscard]] bool holds(const PuSet& set, std::size_t pu) {
  return (set[pu / 64] >> (pu % 64) & 1) != 0;
}

}  // namespace

PuSet allowed_pus() {
  PuSet set{};
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    for (std::size_t pu = 0; pu < std::min<std::size_t>(CPU_SETSIZE, kMostPus); ++pu) {
      set[pu / 64] |= std::uint64_t{CPU_ISSET(pu, &allowed) ? 1U : 0U} << (pu % 64);
    }
  }
  return set;
}

void add(PuSet& to, const PuSet& more) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] |= more[i];
  }
}

std::int32_t count(const PuSet& set) {
  std::int32_t number = 0;
  for (const std::uint64_t bits : set) {
    number += std::popcount(bits);
  }
  return number;
}

LocalityLevel farthest_level(std::span<const PuLocation> locations, const PuSet& a, const PuSet& b) {
  PuSet both = a;
  add(both, b);
  const PuLocation* first = nullptr;
  LocalityLevel farthest = LocalityLevel::kCache;
  for (std::size_t pu = 0; pu < locations.size(); ++pu) {
    if (!holds(both, pu)) {
      continue;
    }
    first = first == nullptr ? &locations[pu] : first;
    if (locations[pu].socket != first->socket) {
      return LocalityLevel::kMachine;
    }
    if (locations[pu].cache != first->cache) {
      farthest = LocalityLevel::kSocket;
    }
  }
  return farthest;
}

}  // namespace postage::shm
