#include "measure/campaign/pass_guard.hpp"

#include "measure/messages.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace postage {
namespace {

/// Fewer have no state that most of them share.
constexpr int kFewestPasses = 3;

std::vector<bool> undisturbed_by(PassGuard::Probes probes) {
  SampleSet samples;
  samples.probes = std::move(probes);
  return undisturbed_passes(samples);
}

}  // namespace

void PassGuard::judge(const Probes& probes, Transport& transport) {
  const std::size_t known = disturbed_.size();
  std::array<std::int32_t, 1> made{
      transport.rank() == 0 && !probes.empty() ? static_cast<std::int32_t>(probes.front().size()) : 0};
  agree_on_largest(transport, made);
  if (made[0] == 0 || passes_ < kFewestPasses) {
    return;
  }
  disturbed_.resize(static_cast<std::size_t>(made[0]));
  if (transport.rank() == 0) {
    const std::vector<bool> undisturbed = undisturbed_by(without_disturbed(probes));
    for (std::size_t pass = known; pass < disturbed_.size(); ++pass) {
      disturbed_[pass] = undisturbed[pass] ? 0 : 1;
    }
  }
  agree_on_largest(transport, disturbed_);
}

bool PassGuard::wants_another() const {
  const auto most = static_cast<std::size_t>(passes_ / 2);
  return disturbed_count() > repeated_count() && repeated_count() < most;
}

std::size_t PassGuard::disturbed_count() const {
  return static_cast<std::size_t>(std::ranges::count(disturbed_, 1));
}

std::size_t PassGuard::repeated_count() const {
  const auto required = static_cast<std::size_t>(passes_);
  return disturbed_.size() > required ? disturbed_.size() - required : 0;
}

PassGuard::Probes PassGuard::without_disturbed(Probes probes) const {
  for (auto& point : probes) {
    for (std::size_t pass = 0; pass < std::min(point.size(), disturbed_.size()); ++pass) {
      if (disturbed_[pass] != 0) {
        point[pass].clear();
      }
    }
  }
  return probes;
}

}  // namespace postage
