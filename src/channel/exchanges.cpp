#include "channel/exchanges.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace postage::channel {

ExchangeJudge::ExchangeJudge(std::uint32_t seldom, std::uint32_t pool_messages)
    : seldom_(std::clamp(seldom, 1U, kMostSeldom)),
      pool_messages_(std::max(pool_messages, 1U)),
      patience_(std::min(kFirstTrial, seldom_)) {
  begin_usual(patience_);
}

std::optional<LongWay> ExchangeJudge::next() const {
  return has_begun_ ? std::optional(current()) : std::nullopt;
}

bool ExchangeJudge::looks() const {
  return count_ + kLooks >= until_change_;
}

bool ExchangeJudge::observe(LongWay way, double cost) {
  if (!has_begun_) {
    has_begun_ = true;
    usual_ = way;
    begin_usual(patience_);
  }
  if (way != current()) {
    // Messages that were sent before their sender heard of a change come first.
    if (++astray_ < kAstray) {
      return false;
    }
    usual_ = way;
    run_ = 0;
    patience_ = seldom_;
    begin_usual(patience_);
    return true;
  }
  astray_ = 0;
  const bool counts = looks();
  if (counts) {
    double& least = is_trial_ ? tried_ : kept_;
    least = std::min(least, cost);
  }
  ++count_;
  const bool is_hopeless = is_trial_ && counts && cost > kHopeless * kept_;
  if (count_ < until_change_ && !is_hopeless) {
    return false;
  }
  if (is_trial_) {
    end_trial();
  } else {
    begin_trial();
  }
  return true;
}

void ExchangeJudge::begin_trial() {
  ++trials_;
  is_trial_ = true;
  count_ = 0;
  astray_ = 0;
  until_change_ = settling(other(usual_)) + kLooks;
  tried_ = std::numeric_limits<double>::infinity();
}

void ExchangeJudge::end_trial() {
  run_ = tried_ * kMargin < kept_ ? run_ + 1 : 0;
  if (run_ == kChangeAfter) {
    ++changes_;
    usual_ = other(usual_);
    run_ = 0;
    patience_ = std::min(kFirstTrial, seldom_);
  } else if (run_ == 0) {
    patience_ = std::min(2 * patience_, seldom_);
  }
  begin_usual(run_ > 0 ? std::min(kNextTrial, seldom_) : patience_);
}

void ExchangeJudge::begin_usual(std::uint32_t patience) {
  is_trial_ = false;
  count_ = 0;
  astray_ = 0;
  until_change_ = settling(usual_) + std::max(patience * settling(other(usual_)), kLooks);
  kept_ = std::numeric_limits<double>::infinity();
}

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
      classes_.push_back(
          {ExchangeJudge(seldom_trial_, static_cast<std::uint32_t>(std::min(pool_messages, kMostInPool)))});
    }
  }
  return classes_[class_of(bytes)];
}

}  // namespace postage::channel
