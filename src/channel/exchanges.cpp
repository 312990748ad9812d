#include "channel/exchanges.hpp"

#include <algorithm>
#include <bit>

namespace postage::channel {

bool Exchanges::take(std::uint64_t bytes, std::uint32_t seen) {
  ++taken_;
  const bool crosses = seen != sent_;
  const std::uint32_t bit = 1U << class_of(bytes);
  crossing_ = crosses ? crossing_ | bit : crossing_ & ~bit;
  crossed_ += crosses ? 1 : 0;
  return crosses;
}

void Exchanges::note_written(std::uint64_t bytes, Ticks took) {
  at(bytes).written = static_cast<double>(took) / static_cast<double>(bytes);
}

bool Exchanges::looks(std::uint64_t bytes) const {
  return !classes_.empty() && classes_[class_of(bytes)].judge.looks();
}

bool Exchanges::observe(LongWay way, std::uint64_t bytes, Ticks took) {
  SizeClass& size = at(bytes);
  double cost = static_cast<double>(took) / static_cast<double>(bytes);
  if (way == LongWay::kTwoCopies) {
    if (size.written == 0 && size.judge.next().value_or(way) == way) {
      return false;  // this rank sends nothing of the kind
    }
    cost += size.written;
  }
  const std::uint64_t trials = size.judge.trials();
  const std::uint64_t changes = size.judge.changes();
  if (!size.judge.observe(way, cost)) {
    return false;
  }
  trials_ += size.judge.trials() - trials;
  changes_ += size.judge.changes() - changes;
  const std::uint64_t judged = std::uint64_t{1} << class_of(bytes);
  const std::uint64_t single = judged << kClasses;
  ways_ |= judged;
  ways_ = size.judge.next() == LongWay::kSingleCopy ? ways_ | single : ways_ & ~single;
  return true;
}

std::optional<LongWay> Exchanges::way_in(std::uint64_t ways, std::uint64_t bytes) {
  const std::uint64_t of_class = ways >> class_of(bytes);
  if ((of_class & 1) == 0) {
    return std::nullopt;
  }
  return (of_class >> kClasses & 1) != 0 ? LongWay::kSingleCopy : LongWay::kTwoCopies;
}

void Exchanges::reset() {
  classes_.clear();
  ways_ = 0;
}

std::uint32_t Exchanges::class_of(std::uint64_t bytes) {
  return std::min(static_cast<std::uint32_t>(std::bit_width(bytes)), kClasses - 1);
}

Exchanges::SizeClass& Exchanges::at(std::uint64_t bytes) {
  if (classes_.empty()) {
    classes_.reserve(kClasses);
    for (std::uint32_t i = 0; i < kClasses; ++i) {
      const std::uint64_t least = std::uint64_t{1} << i >> 1;
      const std::uint64_t pool_messages = pool_bytes_ / std::max<std::uint64_t>(least, 1);
      const auto around = static_cast<std::uint32_t>(std::min(pool_messages, kMostInPool));
      classes_.push_back({ExchangeJudge(seldom_trial_, {around, kSingleSettles})});
    }
  }
  return classes_[class_of(bytes)];
}

}  // namespace postage::channel
