#include "shm/ways_by_size.hpp"

#include <algorithm>
#include <bit>

namespace postage::shm {

std::uint32_t WaysBySize::class_of(std::uint64_t bytes) {
  return std::min(static_cast<std::uint32_t>(std::bit_width(bytes)), kClasses - 1);
}

std::optional<LongWay> WaysBySize::next(std::uint64_t bytes) const {
  return judges_.empty() ? std::nullopt : judges_[class_of(bytes)].next();
}

std::uint64_t WaysBySize::turn(std::uint64_t bytes) const {
  return judges_.empty() ? 0 : judges_[class_of(bytes)].turn();
}

bool WaysBySize::observe(LongWay way, std::uint64_t bytes, double cost) {
  LongWayJudge& judge = at(bytes);
  const std::uint64_t trials = judge.trials();
  const std::uint64_t changes = judge.changes();
  if (!judge.observe(way, cost)) {
    return false;
  }
  trials_ += judge.trials() - trials;
  changes_ += judge.changes() - changes;
  const std::uint64_t judged = std::uint64_t{1} << class_of(bytes);
  const std::uint64_t single = judged << kClasses;
  ways_ |= judged;
  ways_ = judge.next() == LongWay::kSingleCopy ? ways_ | single : ways_ & ~single;
  return true;
}

std::optional<LongWay> WaysBySize::way_in(std::uint64_t ways, std::uint64_t bytes) {
  const std::uint64_t of_class = ways >> class_of(bytes);
  if ((of_class & 1) == 0) {
    return std::nullopt;
  }
  return (of_class >> kClasses & 1) != 0 ? LongWay::kSingleCopy : LongWay::kTwoCopies;
}

void WaysBySize::reset() {
  judges_.clear();
  ways_ = 0;
}

void WaysBySize::settle(std::uint64_t pool_bytes) {
  if (pool_bytes == pool_bytes_) {
    return;
  }
  pool_bytes_ = pool_bytes;
  for (std::uint32_t i = 0; i < judges_.size(); ++i) {
    judges_[i].settle(LongWay::kTwoCopies, messages_around(i));
  }
}

std::uint32_t WaysBySize::messages_around(std::uint32_t size_class) const {
  const std::uint64_t least = std::uint64_t{1} << size_class >> 1;
  return static_cast<std::uint32_t>(std::min(pool_bytes_ / std::max<std::uint64_t>(least, 1), kMostInPool));
}

LongWayJudge& WaysBySize::at(std::uint64_t bytes) {
  if (judges_.empty()) {
    judges_.reserve(kClasses);
    for (std::uint32_t i = 0; i < kClasses; ++i) {
      judges_.emplace_back(seldom_trial_, std::array{messages_around(i), kSingleSettles});
    }
  }
  return judges_[class_of(bytes)];
}

}  // namespace postage::shm
