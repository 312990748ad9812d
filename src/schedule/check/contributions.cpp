#include "schedule/check/contributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace postage {
namespace {

constexpr std::uint64_t kSetFlag = 1ULL << 63U;

bool is_set(std::uint64_t value) {
  return (value & kSetFlag) != 0;
}
Index first_of(std::uint64_t run) {
  return static_cast<Index>(run >> 32U);
}
Index count_of(std::uint64_t run) {
  return static_cast<Index>(run & 0xFFFFFFFFU);
}

void set_bit(std::vector<std::uint64_t>& bits, Index i) {
  bits[static_cast<std::size_t>(i / 64)] |= 1ULL << static_cast<unsigned>(i % 64);
}

/// Lowest and highest member and the number of members.
struct BlockExtent {
  Index lowest = -1;
  Index highest = -1;
  Index count = 0;
};

BlockExtent extent_of(const std::vector<std::uint64_t>& bits) {
  BlockExtent extent;
  for (std::size_t w = 0; w < bits.size(); ++w) {
    if (bits[w] != 0) {
      const Index base = static_cast<Index>(w) * 64;
      extent.lowest = extent.lowest < 0 ? base + std::countr_zero(bits[w]) : extent.lowest;
      extent.highest = base + 63 - std::countl_zero(bits[w]);
      extent.count += std::popcount(bits[w]);
    }
  }
  return extent;
}

}  // namespace

Contributions::Value Contributions::combine(Value left, Value right) {
  if (!is_set(left) && !is_set(right)) {
    const Value value = combine_runs(left, right);
    if (value != kNothing) {
      return value;
    }
  }
  const std::pair<Value, Value> key = std::minmax(left, right);
  const auto [entry, is_new] = united_.try_emplace(key, kNothing);
  if (is_new) {
    entry->second = unite(left, right);
  }
  return entry->second;
}

Contributions::Value Contributions::combine_runs(Value left, Value right) const {
  const Index distance = first_of(right) - first_of(left);
  if (ordered_) {
    const bool overlap = distance >= 0 ? distance < count_of(left) : -distance < count_of(right);
    if (overlap) {
      return kOverlap;
    }
    return distance == count_of(left) ? run(first_of(left), count_of(left) + count_of(right)) : kDisorder;
  }
  const Index forward = distance < 0 ? distance + ranks_ : distance;  // from left's first to right's, on the ring
  const Index backward = forward == 0 ? 0 : ranks_ - forward;
  if (forward < count_of(left) || backward < count_of(right)) {
    return kOverlap;
  }
  const Index count = count_of(left) + count_of(right);
  if (count == ranks_) {
    return run(0, ranks_);
  }
  if (forward == count_of(left)) {
    return run(first_of(left), count);
  }
  return backward == count_of(right) ? run(first_of(right), count) : kNothing;
}

Contributions::Value Contributions::unite(Value left, Value right) {
  Bits bits = bits_of(left);
  const Bits others = bits_of(right);
  for (std::size_t w = 0; w < bits.size(); ++w) {
    if ((bits[w] & others[w]) != 0) {
      return kOverlap;
    }
    bits[w] |= others[w];
  }
  return intern(std::move(bits));
}

Contributions::Bits Contributions::bits_of(Value value) const {
  if (is_set(value)) {
    return sets_[static_cast<std::size_t>(value & ~kSetFlag)];
  }
  Bits bits(static_cast<std::size_t>((ranks_ + 63) / 64), 0);
  for (Index i = 0; i < count_of(value); ++i) {
    set_bit(bits, (first_of(value) + i) % ranks_);
  }
  return bits;
}

Contributions::Value Contributions::intern(Bits bits) {
  const BlockExtent extent = extent_of(bits);
  if (extent.highest - extent.lowest + 1 == extent.count) {
    return run(extent.lowest, extent.count);
  }
  sets_.push_back(std::move(bits));
  return kSetFlag | (sets_.size() - 1);
}

std::string Contributions::describe(Value value) const {
  if (value == kNothing) {
    return "no rank";
  }
  if (is_set(value)) {
    const BlockExtent extent = extent_of(sets_[static_cast<std::size_t>(value & ~kSetFlag)]);
    return fmt::format("{} of the ranks {} to {}", extent.count, extent.lowest, extent.highest);
  }
  const Index first = first_of(value);
  const Index last = (first + count_of(value) - 1) % ranks_;
  return first == last ? fmt::format("rank {}", first) : fmt::format("ranks {} to {}", first, last);
}

}  // namespace postage
