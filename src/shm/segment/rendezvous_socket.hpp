#pragma once

#include "shm/segment/descriptor.hpp"

#include <postage/base/units.hpp>

#include <cstdint>
#include <string>

namespace postage::shm {

/// How processes that share a name find one another at set-up: a Unix socket in the abstract namespace, of which
/// nothing remains when its process is gone.
struct RendezvousSocket {
  std::string name;
  std::int32_t rank = 0;
  std::int32_t ranks = 1;
  Seconds patience = 30;
};

/// Rank 0: sends `file` to all others, or `refusal` where it is not empty. Throws Error where one does not come in
/// time, where the name is taken, or where a process of the same name expects another group.
void send_segment(const RendezvousSocket& rendezvous, int file, const std::string& refusal);

/// The others: the file that rank 0 sends. Throws Error where it refuses, is another user's, or does not come in time.
[[nodiscard]] Descriptor receive_segment(const RendezvousSocket& rendezvous);

}  // namespace postage::shm
