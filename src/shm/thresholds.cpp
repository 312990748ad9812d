#include <postage/base/error.hpp>
#include <postage/shm/thresholds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace postage {
namespace {

constexpr Bytes kKilobyte = 1024;

}  // namespace

const char* name_of(LocalityLevel distance) {
  switch (distance) {
    case LocalityLevel::kSameCache:
      return kSharedCache;
    case LocalityLevel::kSameSocket:
      return kIntraSocket;
    case LocalityLevel::kOtherSocket:
      break;
  }
  return kInterSocket;
}

LocalityLevel distance_between(const Core& a, const Core& b) {
  const std::string_view channel = channel_between(a, b);
  if (channel == kSharedCache) {
    return LocalityLevel::kSameCache;
  }
  return channel == kIntraSocket ? LocalityLevel::kSameSocket : LocalityLevel::kOtherSocket;
}

ThresholdTable::ThresholdTable() {
  const auto from = [](Bytes single_copy) {
    return ProtocolThresholds{.eager = 8 * kKilobyte,
                              .single_copy = single_copy,
                              .joint_copy = 128 * kKilobyte,
                              .skewed_single_copy = 256 * kKilobyte,
                              .exchange = ProtocolThresholds::kLeastExchange};
  };
  set(LocalityLevel::kSameCache, from(32 * kKilobyte));
  set(LocalityLevel::kSameSocket, from(2 * kKilobyte));
  set(LocalityLevel::kOtherSocket, from(1 * kKilobyte));
}

ThresholdTable ThresholdTable::uniform(const ProtocolThresholds& thresholds) {
  ThresholdTable table;
  for (const LocalityLevel distance : kLocalityLevels) {
    table.set(distance, thresholds);
  }
  return table;
}

ThresholdTable ThresholdTable::of_platform(const Platform& platform) {
  ThresholdTable table;
  for (const MeasuredThresholds& measured : platform.channel_thresholds) {
    const auto known = std::find_if(kLocalityLevels.begin(), kLocalityLevels.end(),
                                    [&](LocalityLevel distance) { return measured.channel == name_of(distance); });
    if (known == kLocalityLevels.end()) {
      throw Error(fmt::format("platform {} has thresholds for '{}'; the channel knows {}, {} and {}", platform.name,
                              measured.channel, kSharedCache, kIntraSocket, kInterSocket));
    }
    table.set(*known, measured.thresholds);
  }
  return table;
}

ThresholdTable ThresholdTable::of_environment() {
  const char* path = std::getenv("POSTAGE_PLATFORM");
  return path == nullptr || *path == '\0' ? ThresholdTable() : of_platform(read_platform(path));
}

void ThresholdTable::set(LocalityLevel distance, const ProtocolThresholds& thresholds) {
  if (thresholds.eager < 0 || thresholds.single_copy < 0 || thresholds.joint_copy < thresholds.single_copy ||
      thresholds.skewed_single_copy < thresholds.single_copy || thresholds.exchange < 0) {
    throw UsageError(
        fmt::format("thresholds of {} cannot be: eager {}, single copy {}, joint copy {}, single copy under "
                    "skew {}, exchanges {}; none may be negative, and joint copy and the one under skew not below "
                    "single copy",
                    name_of(distance), thresholds.eager, thresholds.single_copy, thresholds.joint_copy,
                    thresholds.skewed_single_copy, thresholds.exchange));
  }
  classes_[index(distance)] = thresholds;
}

}  // namespace postage
