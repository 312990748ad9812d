#pragma once

#include <postage/program/program.hpp>

#include <cstdint>
#include <vector>

namespace postage {

/// One thing that a rank does. A program of a few messages is a few cache lines of these, one after another: between
/// two collectives a program's lines leave the nearest cache, and each line fetched anew delays a small message.
struct Instruction {
  enum class Kind : std::uint8_t {
    kSend,     ///< to `peer`, by a call that blocks
    kReceive,  ///< from `peer`, by a call that blocks
    kStartSend,
    kStartReceive,
    kRendezvous,       ///< to `peer`, which asks for the data; where it acknowledges them, two requests
    kAcknowledge,      ///< to `peer`, whose data have arrived; nothing but the end waits for it to be sent
    kWaitForSends,     ///< for the oldest `count` requests of sends, a get and its acknowledgement being two
    kWaitForReceives,  ///< for the oldest `count`
    kCopy,             ///< to = from
    kCombine,          ///< to = from op to
  };
  Kind kind = Kind::kSend;
  Memory from_memory = Memory::kSend;
  Memory to_memory = Memory::kSend;
  bool is_acknowledged = false;  ///< a get
  std::int32_t tag = 0;
  union {
    Rank peer = 0;
    std::int32_t count;
  };
  Bytes from = 0;  ///< offset of what is read, also by a send
  Bytes to = 0;    ///< offset of what is written, also by a receive
  Bytes bytes = 0;
};

/// What `program` does, in order. O(its messages and operations).
[[nodiscard]] std::vector<Instruction> instructions_of(const Program& program);

}  // namespace postage
