#include "preload/probes/cell_probes.hpp"

#include <algorithm>
#include <cstdlib>

namespace postage::preload {
namespace {

using Nanoseconds = CellProbes::Nanoseconds;

Nanoseconds least(const std::vector<Nanoseconds>& times) {
  return *std::min_element(times.begin(), times.end());
}

double median(std::vector<Nanoseconds> times) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  const auto upper = static_cast<double>(times[half]);
  return times.size() % 2 == 1 ? upper : (upper + static_cast<double>(times[half - 1])) / 2;
}

}  // namespace

CellProbes::CellProbes(std::vector<Candidate> candidates, int uncounted)
    : all_(std::move(candidates)), uncounted_(uncounted) {}

void CellProbes::restart(Bytes bytes) {
  bytes_ = bytes;
  strays_ = rounds_ = calls_ = 0;
  round_.clear();
  candidates_.clear();
  for (const Candidate candidate : all_) {
    candidates_.push_back({candidate});
  }
}

std::optional<Candidate> CellProbes::begin(Bytes bytes) {
  if (bytes_ < 0) {
    restart(bytes);
  }
  if (std::abs(bytes - bytes_) > bytes_ / 8) {
    if (++strays_ <= kMostStrays) {
      return std::nullopt;
    }
    restart(bytes);
  }
  strays_ = 0;
  return candidates_[static_cast<std::size_t>(calls_ / run())].candidate;
}

void CellProbes::note(Nanoseconds entered, Nanoseconds left) {
  if (is_counted()) {
    round_.push_back(entered);
    round_.push_back(left);
  }
  ++calls_;
}

void CellProbes::keep_times() {
  std::size_t at = 0;
  for (Probed& probed : candidates_) {
    for (int call = 0; call < kCounted; ++call, at += 2) {
      probed.times.push_back(round_[at + 1] - round_[at]);
    }
  }
  round_.clear();
  calls_ = 0;
  ++rounds_;
}

/// By the least times: what disturbs a call only makes it longer.
void CellProbes::drop_slow_ones() {
  Nanoseconds quickest = least(candidates_.front().times);
  for (const Probed& probed : candidates_) {
    quickest = std::min(quickest, least(probed.times));
  }
  std::erase_if(candidates_, [&](const Probed& probed) {
    return static_cast<double>(least(probed.times)) > kDropped * static_cast<double>(quickest);
  });
}

void CellProbes::forget_times() {
  for (Probed& probed : candidates_) {
    probed.times.clear();
  }
}

Candidate CellProbes::best() const {
  const auto quicker = [](const Probed& a, const Probed& b) { return median(a.times) < median(b.times); };
  const Probed& first = candidates_.front();
  const Probed& quickest = *std::min_element(candidates_.begin(), candidates_.end(), quicker);
  const bool is_library_worse = median(quickest.times) <= kWorthIt * static_cast<double>(least(first.times));
  return first.candidate == Candidate::kLibrary && !is_library_worse ? Candidate::kLibrary : quickest.candidate;
}

std::optional<Candidate> CellProbes::judge() {
  keep_times();
  drop_slow_ones();
  if (candidates_.size() == 1 || rounds_ == kRounds) {
    return best();
  }
  if (rounds_ == 1) {
    forget_times();
  }
  return std::nullopt;
}

}  // namespace postage::preload
