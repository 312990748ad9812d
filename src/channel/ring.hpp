#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace postage::channel {

// One ring per ordered pair of ranks: cells of one cache line, and beside them a circular area for payloads that do not
// fit into a cell. One process produces, one consumes; neither ever waits inside.
//
//   cells    | c c c c . . . . |   a cell is there once its stamp is that of the lap: written last, so that one cache
//                  ^consumer       line carries a small message
//                          ^producer
//   payloads |....pppp pp ppp...|  a cell's payload is contiguous; it is free again once its cell is acknowledged
//
// The consumer acknowledges by one position, only after a quarter of either was used: a message costs no line of its
// own.
//
// `Memory` supplies the types that both sides share: Cell with an atomic `stamp` (32 bits), and Position (64 bits). A
// checker puts others in their place that let it try every order of their steps.

inline constexpr std::uint64_t kLine = 64;

[[nodiscard]] constexpr std::uint64_t whole_lines(std::uint64_t bytes) {
  return (bytes + kLine - 1) / kLine * kLine;
}

/// The stamp of the cell at `position`, never the one that the cell had a lap before.
[[nodiscard]] constexpr std::uint32_t stamp_of(std::uint64_t position, std::uint64_t cells) {
  return static_cast<std::uint32_t>(position / cells + 1);
}

template <typename Memory>
class RingProducer {
 public:
  using Cell = typename Memory::Cell;

  /// `cells.size()` is a power of two; `area` is the size of the payload area in bytes, a multiple of a line.
  RingProducer(std::span<Cell> cells, std::uint64_t area, typename Memory::Position& acknowledged)
      : cells_(cells), area_(area), acknowledged_(&acknowledged), ends_(cells.size(), 0) {}

  /// The next cell, to be filled and published, with `bytes` of the payload area that begin at `offset`; nullptr while
  /// the consumer has not given back enough. Nothing changes until publish(). `bytes` is at most largest_payload().
  [[nodiscard]] Cell* reserve(std::uint64_t bytes, std::uint64_t& offset) {
    if (!has_room(bytes)) {
      look_again();
      if (!has_room(bytes)) {
        return nullptr;
      }
    }
    const std::uint64_t begin = begin_of(bytes);
    reserved_end_ = begin + whole_lines(bytes);
    offset = begin % area_;
    return &cells_[next_ % cells_.size()];
  }

  /// Makes the cell that reserve() gave visible to the consumer.
  void publish() {
    ends_[next_ % cells_.size()] = reserved_end_;
    area_next_ = reserved_end_;
    cells_[next_ % cells_.size()].stamp.store(stamp_of(next_, cells_.size()), std::memory_order_release);
    ++next_;
  }

  /// An eighth of the area: then what is not yet acknowledged can never keep a payload from fitting for ever.
  [[nodiscard]] std::uint64_t largest_payload() const { return area_ / 8; }

  /// Cells published and not acknowledged when this side looked last.
  [[nodiscard]] std::uint64_t in_flight() const { return next_ - freed_; }

 private:
  /// A payload does not go around the end of the area: it begins at the start instead.
  [[nodiscard]] std::uint64_t begin_of(std::uint64_t bytes) const {
    const std::uint64_t left = area_ - area_next_ % area_;
    return whole_lines(bytes) > left ? area_next_ + left : area_next_;
  }

  [[nodiscard]] bool has_room(std::uint64_t bytes) const {
    return next_ - freed_ < cells_.size() && begin_of(bytes) + whole_lines(bytes) - area_freed_ <= area_;
  }

  void look_again() {
    const std::uint64_t acknowledged = acknowledged_->load(std::memory_order_acquire);
    if (acknowledged != freed_) {
      freed_ = acknowledged;
      area_freed_ = ends_[(acknowledged - 1) % cells_.size()];
    }
  }

  std::span<Cell> cells_;
  std::uint64_t area_;
  typename Memory::Position* acknowledged_;
  std::vector<std::uint64_t> ends_;  ///< of each cell in flight, where its payload ends
  std::uint64_t next_ = 0;
  std::uint64_t freed_ = 0;
  std::uint64_t area_next_ = 0;
  std::uint64_t area_freed_ = 0;
  std::uint64_t reserved_end_ = 0;
};

template <typename Memory>
class RingConsumer {
 public:
  using Cell = typename Memory::Cell;

  RingConsumer(std::span<Cell> cells, std::uint64_t area, typename Memory::Position& acknowledged)
      : cells_(cells), area_(area), acknowledged_(&acknowledged) {}

  /// The cell `ahead` places after the oldest one that was not popped, or nullptr if it is not there yet.
  [[nodiscard]] Cell* at(std::uint64_t ahead) {
    const std::uint64_t position = next_ + ahead;
    Cell& cell = cells_[position % cells_.size()];
    const bool is_there = cell.stamp.load(std::memory_order_acquire) == stamp_of(position, cells_.size());
    return is_there ? &cell : nullptr;
  }

  [[nodiscard]] Cell* front() { return at(0); }

  /// Done with the front cell and its payload of `bytes`. True where this was acknowledged, so that a producer that
  /// waits for room has reason to look.
  bool pop(std::uint64_t bytes) {
    ++next_;
    area_used_ += whole_lines(bytes);
    if (next_ - acknowledged_last_ < cells_.size() / 4 && area_used_ < area_ / 4) {
      return false;
    }
    acknowledged_last_ = next_;
    area_used_ = 0;
    acknowledged_->store(next_, std::memory_order_release);
    return true;
  }

 private:
  std::span<Cell> cells_;
  std::uint64_t area_;
  typename Memory::Position* acknowledged_;
  std::uint64_t next_ = 0;
  std::uint64_t acknowledged_last_ = 0;
  std::uint64_t area_used_ = 0;
};

}  // namespace postage::channel
