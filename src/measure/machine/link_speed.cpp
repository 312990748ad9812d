#include "measure/machine/link_speed.hpp"

#include "measure/messages.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace postage {
namespace {

constexpr int kRoundtrips = 8;
using SmallMessage = std::array<std::byte, 8>;

}  // namespace

Seconds time_link(Transport& transport, std::int32_t other) {
  SmallMessage message{};
  Seconds least = std::numeric_limits<Seconds>::infinity();
  for (int i = 0; i < kRoundtrips; ++i) {
    const Seconds begin = transport.now();
    transport.send(message, other, kLinkTag);
    transport.receive(message, other, kLinkTag);
    least = std::min(least, transport.now() - begin);
  }
  return least / 2;
}

void answer_link(Transport& transport, std::int32_t leader) {
  SmallMessage message{};
  for (int i = 0; i < kRoundtrips; ++i) {
    transport.receive(message, leader, kLinkTag);
    transport.send(message, leader, kLinkTag);
  }
}

}  // namespace postage
