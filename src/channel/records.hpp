#pragma once

#include "channel/ring.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace postage::channel {

/// What a cell says.
enum class Record : std::uint8_t {
  kInCell,    ///< a whole message, in the cell
  kFirst,     ///< the first piece of a message, in the ring's payload area or in a chunk: a Piece
  kNext,      ///< a further piece of the message begun last
  kOffer,     ///< a message that stays with its sender until it is matched: an Offer
  kPush,      ///< answer to an offer: send it through the pool: a Push
  kPushed,    ///< a chunk of a message sent after kPush: a PushedPiece
  kFinished,  ///< answer to an offer: the message is there: a Finished
  kJoin,      ///< answer to an offer: copy it together with the receiver: a Join
};

enum class Place : std::uint32_t { kRing, kChunk };

struct Piece {
  std::uint64_t total = 0;   ///< bytes of the whole message
  std::uint64_t offset = 0;  ///< in the payload area, or the chunk's number
  std::uint64_t bytes = 0;   ///< of this piece
  Place place = Place::kRing;
};

/// Where a message lies in another process: blocks of `block` bytes, `stride` apart.
struct RemoteBuffer {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t block = 0;
  std::uint64_t stride = 0;
};

struct Offer {
  std::uint64_t send = 0;  ///< the sender's operation
  RemoteBuffer buffer{};
};

struct Push {
  std::uint64_t send = 0;
  std::uint64_t receive = 0;  ///< the receiver's operation
};

struct PushedPiece {
  std::uint64_t receive = 0;
  std::uint32_t chunk = 0;
  std::uint32_t bytes = 0;
};

struct Finished {
  std::uint64_t send = 0;
};

struct Join {
  std::uint64_t send = 0;
  std::uint64_t address = 0;  ///< of the receiver's buffer
  std::uint64_t bytes = 0;
  std::uint32_t slot = 0;  ///< of the receiver's shares
  std::uint32_t turn = 0;  ///< which use of that slot this is
};

/// One cache line. The stamp is written last and makes the rest visible.
struct alignas(kLine) Cell {
  static constexpr std::size_t kPayload = 48;

  std::atomic<std::uint32_t> stamp;
  Record record;
  std::uint8_t bytes;  ///< of a message in the cell
  std::int32_t tag;
  std::uint32_t context;
  std::array<std::byte, kPayload> payload;

  template <typename Body>
  void put(const Body& body) {
    static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= kPayload);
    std::memcpy(payload.data(), &body, sizeof body);
  }

  template <typename Body>
  [[nodiscard]] Body get() const {
    static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= kPayload);
    Body body;
    std::memcpy(&body, payload.data(), sizeof body);
    return body;
  }
};
static_assert(sizeof(Cell) == kLine);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

/// What a receiver tells a sender, outside the order of messages.
struct Answer {
  Record record = Record::kFinished;
  std::array<std::byte, Cell::kPayload> body{};
};

template <typename Body>
[[nodiscard]] Answer make_answer(Record record, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= Cell::kPayload);
  Answer answer{.record = record};
  std::memcpy(answer.body.data(), &body, sizeof body);
  return answer;
}

/// The types of a ring in memory that processes share.
struct SharedMemory {
  using Cell = channel::Cell;
  using Position = std::atomic<std::uint64_t>;
};

using Producer = RingProducer<SharedMemory>;
using Consumer = RingConsumer<SharedMemory>;

}  // namespace postage::channel
