#pragma once

#include "shm/segment/records.hpp"

#include <postage/platform/shm_thresholds.hpp>

#include <cstdint>

namespace postage::shm {

/// The protocol of a send. The last two begin with an RTS and are carried out when the receive is there: the receiver
/// reads the message (alone or, from ProtocolThresholds::cooperative on, together with its sender), or has it sent
/// through the pool, chunk by chunk.
enum class SendProtocol : std::uint8_t { kUndecided, kEager, kBuffered, kPipelined, kSingleCopy };

/// What a sender knows of the connection when it selects a protocol.
struct SendConditions {
  bool skewed = false;                ///< the receiver reports that it falls behind
  bool answered = true;               ///< the receiver has sent something since the last eager message of several cells
  bool single_copy_possible = false;  ///< neither forbidden nor switched off
  bool bidirectional = false;         ///< the receiver sends such messages at the same time
};

[[nodiscard]] inline bool takes_single_copy(const ProtocolThresholds& thresholds, const SendConditions& conditions,
                                            std::uint64_t bytes) {
  const Bytes from = conditions.skewed          ? thresholds.skewed_single_copy
                     : conditions.bidirectional ? thresholds.bidirectional_single_copy
                                                : thresholds.single_copy;
  return conditions.single_copy_possible && static_cast<Bytes>(bytes) >= from;
}

/// Whether a message of more than one cell's first line goes through the ring. A ring has room for few messages of
/// several cells, each of `cell_payload` bytes: a stream of them, or a receiver that falls behind, would fill it.
[[nodiscard]] inline bool takes_ring(const ProtocolThresholds& thresholds, const SendConditions& conditions,
                                     std::uint64_t bytes, std::uint64_t cell_payload) {
  if (bytes <= Cell::kBody) {
    return true;
  }
  const bool would_fill = bytes > cell_payload && (!conditions.answered || conditions.skewed);
  return static_cast<Bytes>(bytes) <= thresholds.eager && !would_fill &&
         !takes_single_copy(thresholds, conditions, bytes);
}

}  // namespace postage::shm
