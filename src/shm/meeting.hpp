#pragma once

#include "shm/mapping.hpp"

#include <postage/base/units.hpp>

#include <cstdint>
#include <string>

namespace postage::shm {

/// Where processes that share a name meet: a socket in the abstract namespace, of which nothing remains when its
/// process is gone.
struct MeetingPlace {
  std::string name;
  std::int32_t rank = 0;
  std::int32_t ranks = 1;
  Seconds patience = 30;
};

/// Rank 0: gives `file` to all others, or `refusal` where it is not empty. Throws Error where one does not come in
/// time, where the name is taken, or where a process of the same name expects another group.
void give(const MeetingPlace& place, int file, const std::string& refusal);

/// The others: what rank 0 gives. Throws Error where it refuses, is another user's, or does not come in time.
[[nodiscard]] Descriptor take(const MeetingPlace& place);

}  // namespace postage::shm
