#include "shm/protocols/non_temporal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace postage::shm {
namespace {

double median_ticks(std::byte* to, const std::vector<std::byte>& from, std::uint64_t bytes) {
  std::array<Ticks, 9> times{};
  for (Ticks& time : times) {
    const Ticks begin = ticks();
    copy_non_temporal(to, from.data(), bytes);
    finish_stores();
    time = ticks() - begin;
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return static_cast<double>(times[times.size() / 2]);
}

}  // namespace

CopyCost non_temporal_cost(std::byte* memory, std::uint64_t bytes) {
  const std::vector<std::byte> source(bytes, std::byte{1});
  const std::uint64_t few = bytes / 16;
  const double whole = median_ticks(memory, source, bytes);
  const double part = median_ticks(memory, source, few);
  const double per_byte = std::max(whole - part, 0.0) / static_cast<double>(bytes - few);
  return {.fixed = std::max(part - per_byte * static_cast<double>(few), 0.0), .per_byte = per_byte};
}

NonTemporalSelector NonTemporalSelector::fixed(bool non_temporal) {
  NonTemporalSelector selector({});
  selector.is_fixed_ = true;
  selector.selected_ = non_temporal;
  return selector;
}

void NonTemporalSelector::observe(bool non_temporal, std::uint64_t bytes, Ticks ticks) {
  if (is_fixed_) {
    return;
  }
  const double ratio = static_cast<double>(ticks) / (scale_ * cost_.of(bytes));
  const bool slow = ratio > kSlow;
  if (non_temporal) {
    scale_ *= std::isfinite(ratio) ? std::clamp(ratio, kLeastStep, kMostStep) : 1;
  } else {
    run_ = slow != selected_ ? run_ + 1 : 0;
  }
  if (run_ == kChangeAfter) {
    selected_ = slow;
    run_ = 0;
    begin_interval(kFirstInterval);
  } else if (non_temporal == selected_) {
    ++since_probe_;
  } else if (non_temporal || run_ == 0) {
    begin_interval(std::min(2 * interval_, kLongestInterval));
  }
}

void NonTemporalSelector::begin_interval(std::uint32_t interval) {
  since_probe_ = 0;
  interval_ = interval;
}

}  // namespace postage::shm
