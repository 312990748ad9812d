#include "shm/exchanges.hpp"

namespace postage::shm {

bool Exchanges::take(std::uint64_t bytes, std::uint32_t seen) {
  ++taken_;
  const bool crosses = seen != sent_;
  const std::uint32_t bit = 1U << WaysBySize::class_of(bytes);
  crossing_ = crosses ? crossing_ | bit : crossing_ & ~bit;
  crossed_ += crosses ? 1 : 0;
  return crosses;
}

void Exchanges::note_written(std::uint64_t bytes, Ticks took) {
  written_[WaysBySize::class_of(bytes)] = static_cast<double>(took) / static_cast<double>(bytes);
}

bool Exchanges::observe(LongWay way, std::uint64_t bytes, Ticks took) {
  double cost = static_cast<double>(took) / static_cast<double>(bytes);
  if (way == LongWay::kTwoCopies) {
    const double written = written_[WaysBySize::class_of(bytes)];
    if (written == 0 && ways_.next(bytes).value_or(way) == way) {
      return false;  // this rank sends nothing of the kind
    }
    cost += written;
  }
  return ways_.observe(way, bytes, cost);
}

void Exchanges::reset() {
  ways_.reset();
  written_ = {};
}

}  // namespace postage::shm
