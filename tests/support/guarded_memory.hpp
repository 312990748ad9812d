#pragma once

#include <postage/base/units.hpp>
#include <postage/shm/buffers.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace postage::test {

/// Memory of a message, with a guard behind it; strided ones have gaps.
class GuardedMemory {
 public:
  GuardedMemory(Bytes bytes, bool strided)
      : bytes_(bytes),
        strided_(strided && bytes >= kBlock && bytes % kBlock == 0),
        data_(static_cast<std::size_t>(strided_ ? bytes / kBlock * (kBlock + kGap) : bytes) + kGuard, kUnchanged) {}

  [[nodiscard]] StridedBytes view() {
    return strided_ ? StridedBytes(data_.data(), kBlock, kBlock + kGap, bytes_ / kBlock)
                    : StridedBytes(std::span(data_).first(static_cast<std::size_t>(bytes_)));
  }
  [[nodiscard]] ConstStridedBytes const_view() {
    const StridedBytes all = view();
    return {all.data, all.block, all.stride, all.count};
  }
  void fill(const std::vector<std::byte>& message) {
    for_each_run(
        [&](std::byte* run, std::size_t at, std::size_t length) { std::copy_n(message.data() + at, length, run); });
  }
  /// What the memory should hold after a receive of `message`: the rest, gaps and guard as they were.
  [[nodiscard]] bool holds_only(const std::vector<std::byte>& message) const {
    const std::size_t block = static_cast<std::size_t>(strided_ ? kBlock : bytes_);
    const std::size_t gap = strided_ ? kGap : 0;
    auto expected = message.begin();
    const auto holds_next = [&](auto first, auto last) {
      const auto length = std::min(last - first, message.end() - expected);
      const bool holds = std::equal(first, first + length, expected);
      expected += length;
      return holds && is_unchanged(first + length, last);
    };
    auto at = data_.begin();
    for (; data_.end() - at > static_cast<std::ptrdiff_t>(kGuard); at += static_cast<std::ptrdiff_t>(block + gap)) {
      const auto end = at + static_cast<std::ptrdiff_t>(block);
      if (!holds_next(at, end) || !is_unchanged(end, end + static_cast<std::ptrdiff_t>(gap))) {
        return false;
      }
    }
    return expected == message.end() && is_unchanged(at, data_.end());
  }
  void spoil() { std::fill(data_.begin(), data_.end(), std::byte{0x11}); }

 private:
  static constexpr Bytes kBlock = 7;
  static constexpr Bytes kGap = 4;
  static constexpr std::size_t kGuard = 8;
  static constexpr std::byte kUnchanged{0xee};

  template <typename Iterator>
  static bool is_unchanged(Iterator first, Iterator last) {
    return std::all_of(first, last, [](std::byte one) { return one == kUnchanged; });
  }

  template <typename Use>
  void for_each_run(const Use& use) {
    const StridedBytes all = view();
    for (Bytes block = 0; block < all.count; ++block) {
      use(all.data + block * all.stride, static_cast<std::size_t>(block * all.block),
          static_cast<std::size_t>(all.block));
    }
  }

  Bytes bytes_;
  bool strided_;
  std::vector<std::byte> data_;
};

}  // namespace postage::test
