#pragma once

#include <atomic>
#include <cstdint>

namespace postage::shm {

// One ring of cells per ordered pair of ranks. One process produces, one consumes; neither ever waits inside.
//
//   | c c c c . . . . |   a cell is there once its stamp is that of the lap: written last, so that a small message
//   costs
//         ^consumer       one cache line
//                 ^producer
//
// The consumer acknowledges by one position, only after every quarter of the ring: a message costs no line of its own.
//
// `Memory` supplies the types that both sides share: Cells (size(), a power of two, and operator[], whose result has an
// atomic 32-bit `stamp`), and Position (an atomic of 64 bits). A checker puts others in their place that let it try
// every order of their steps.

/// The stamp of the cell at `position`, never the one that the cell had a lap before.
[[nodiscard]] constexpr std::uint32_t stamp_of(std::uint64_t position, std::uint64_t cells) {
  return static_cast<std::uint32_t>(position / cells + 1);
}

template <typename Memory>
class RingProducer {
 public:
  using Cell = typename Memory::Cell;

  RingProducer(typename Memory::Cells cells, typename Memory::Position& acknowledged)
      : cells_(cells), acknowledged_(&acknowledged) {}

  /// The next cell, to be filled and published; nullptr while the consumer has not given back enough. Nothing changes
  /// until publish().
  [[nodiscard]] Cell* reserve() {
    if (!sees_room()) {
      freed_ = acknowledged_->load(std::memory_order_acquire);
      if (!sees_room()) {
        return nullptr;
      }
    }
    return &cells_[next_ % cells_.size()];
  }

  /// Makes the cell that reserve() gave visible to the consumer.
  void publish() {
    cells_[next_ % cells_.size()].stamp.store(stamp_of(next_, cells_.size()), std::memory_order_release);
    ++next_;
  }

 private:
  /// Without a look at what the consumer has acknowledged.
  [[nodiscard]] bool sees_room() const { return next_ - freed_ < cells_.size(); }

  typename Memory::Cells cells_;
  typename Memory::Position* acknowledged_;
  std::uint64_t next_ = 0;
  std::uint64_t freed_ = 0;
};

template <typename Memory>
class RingConsumer {
 public:
  using Cell = typename Memory::Cell;

  RingConsumer(typename Memory::Cells cells, typename Memory::Position& acknowledged)
      : cells_(cells), acknowledged_(&acknowledged) {}

  /// The cell `ahead` cells after the oldest one that was not popped, or nullptr if it is not there yet.
  [[nodiscard]] Cell* at(std::uint64_t ahead) {
    const std::uint64_t position = next_ + ahead;
    Cell& cell = cells_[position % cells_.size()];
    const bool is_there = cell.stamp.load(std::memory_order_acquire) == stamp_of(position, cells_.size());
    return is_there ? &cell : nullptr;
  }

  [[nodiscard]] Cell* front() { return at(0); }

  /// Done with the front cell. True where this was acknowledged, so that a producer that waits for room has reason to
  /// look.
  bool pop() {
    ++next_;
    // In a stream the cell after the next one is probably written: its line can be on its way meanwhile.
    __builtin_prefetch(&cells_[(next_ + 1) % cells_.size()]);
    if (next_ - acknowledged_last_ < cells_.size() / 4) {
      return false;
    }
    acknowledged_last_ = next_;
    acknowledged_->store(next_, std::memory_order_release);
    return true;
  }

 private:
  typename Memory::Cells cells_;
  typename Memory::Position* acknowledged_;
  std::uint64_t next_ = 0;
  std::uint64_t acknowledged_last_ = 0;
};

}  // namespace postage::shm
