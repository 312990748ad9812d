#pragma once

#include <cstdint>

namespace postage {

/// Point-to-point protocol of a transfer.
///
/// - kDefault: what the model's messages are, and what the transport selects.
/// - kEager: the data leave at once and are buffered where their receiver is late.
/// - kRendezvous: a request and its reply go before the data, so that the receiver is there.
/// - kGet: the source puts the address of the data, the target gets the data and puts an acknowledgement (Ali et al.,
///   PPoPP 2010, section 3.2). The source goes on at once; it waits for the acknowledgement before the data's memory
///   changes, and at the end.
/// - kAcknowledged: the same, and the source waits for the acknowledgement before it leaves the round (Ali et al.,
///   section 4, the ordered tree).
enum class Protocol : std::uint8_t { kDefault, kEager, kRendezvous, kGet, kAcknowledged };

/// True where the target acknowledges.
[[nodiscard]] constexpr bool is_get(Protocol protocol) {
  return protocol == Protocol::kGet || protocol == Protocol::kAcknowledged;
}

}  // namespace postage
