#pragma once

#include "shm/segment/ring.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace postage::shm {

inline constexpr std::size_t kLine = 64;
inline constexpr std::size_t kCells = 64;  ///< of each ring

/// What a cell says.
enum class Record : std::uint8_t {
  kWhole,      ///< a message, in the cell
  kFirst,      ///< the first piece of a message: a Piece, and its bytes unless they are in a chunk
  kNext,       ///< a further piece of the message begun last
  kRts,        ///< ready to send: the message stays with its sender until it is matched: an Rts
  kCts,        ///< clear to send, an answer to an RTS: send it through the pool: a Cts
  kPipelined,  ///< a chunk of a message sent after a CTS: a PipelinedPiece
  kFin,        ///< an answer to an RTS: the message has been copied: a Fin
  kCooperate,  ///< an answer to an RTS: copy it together with the receiver: a Cooperate
};

struct Piece {
  static constexpr std::uint32_t kInCell = 0xffffffff;

  std::uint64_t total = 0;  ///< bytes of the whole message
  std::uint32_t bytes = 0;  ///< of this piece
  std::uint32_t chunk = kInCell;
};

/// A piece that lies in a chunk.
struct PieceInPool {
  Piece piece{};
  std::uint32_t received = 0;  ///< TrafficDirection::received() of the sender
};

/// Where a message lies in another process: blocks of `block` bytes, `stride` apart.
struct RemoteBuffer {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t block = 0;
  std::uint64_t stride = 0;
};

struct Rts {
  std::uint64_t send = 0;  ///< the sender's operation
  RemoteBuffer buffer{};
  std::uint32_t pipelined = 0;  ///< 1 where it is to be sent through the pool, although it might be read
  std::uint32_t received = 0;   ///< TrafficDirection::received() of the sender
};

struct Cts {
  std::uint64_t send = 0;
  std::uint64_t receive = 0;  ///< the receiver's operation
};

struct PipelinedPiece {
  std::uint64_t receive = 0;
  std::uint32_t chunk = 0;
  std::uint32_t bytes = 0;
};

struct Fin {
  std::uint64_t send = 0;
};

struct Cooperate {
  std::uint64_t send = 0;
  std::uint64_t address = 0;  ///< of the receiver's buffer
  std::uint64_t bytes = 0;
  std::uint32_t slot = 0;  ///< of the receiver's part claims
  std::uint32_t turn = 0;  ///< which use of that slot this is
};

/// The first cache line of a cell; the payload goes on behind it, without a gap, to the end of the cell. A message of
/// up to 48 bytes costs this line only. The stamp is written last and makes the rest visible.
struct alignas(kLine) Cell {
  static constexpr std::size_t kHead = 16;
  static constexpr std::size_t kBody = kLine - kHead;  ///< what any cell can hold

  std::atomic<std::uint32_t> stamp;
  Record record;
  std::uint16_t bytes;  ///< of a whole message
  std::int32_t tag;
  std::uint32_t context;

  [[nodiscard]] std::byte* payload() { return reinterpret_cast<std::byte*>(this) + kHead; }
  [[nodiscard]] const std::byte* payload() const { return reinterpret_cast<const std::byte*>(this) + kHead; }

  template <typename Body>
  void put(const Body& body) {
    static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= kBody);
    std::memcpy(payload(), &body, sizeof body);
  }

  template <typename Body>
  [[nodiscard]] Body get() const {
    static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= kBody);
    Body body;
    std::memcpy(&body, payload(), sizeof body);
    return body;
  }
};
static_assert(sizeof(Cell) == kLine);

/// The cells of a ring, `stride` bytes apart.
class CellArray {
 public:
  CellArray(std::byte* first, std::size_t stride) : first_(first), stride_(stride) {}

  /// Known when it is compiled: a message would else wait for half a dozen divisions.
  [[nodiscard]] static constexpr std::size_t size() { return kCells; }
  [[nodiscard]] Cell& operator[](std::uint64_t i) const { return *reinterpret_cast<Cell*>(first_ + i * stride_); }
  /// Bytes that one cell can carry.
  [[nodiscard]] std::size_t payload() const { return stride_ - Cell::kHead; }

 private:
  std::byte* first_;
  std::size_t stride_;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

/// What a receiver tells a sender, outside the order of messages.
struct Answer {
  Record record = Record::kFin;
  std::array<std::byte, Cell::kBody> body{};
};

template <typename Body>
[[nodiscard]] Answer make_answer(Record record, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= Cell::kBody);
  Answer answer{.record = record};
  std::memcpy(answer.body.data(), &body, sizeof body);
  return answer;
}

/// The types of a ring in memory that processes share.
struct SharedMemory {
  using Cell = shm::Cell;
  using Cells = CellArray;
  using Position = std::atomic<std::uint64_t>;
};

using Producer = RingProducer<SharedMemory>;
using Consumer = RingConsumer<SharedMemory>;

}  // namespace postage::shm
