#include <postage/base/error.hpp>
#include <postage/shm/thresholds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace postage {
namespace {

constexpr Bytes kKilobyte = 1024;
constexpr Bytes kMegabyte = 1024 * kKilobyte;

/// Of the level of that name. Throws Error.
LocalityLevel level_named(const std::string& name, const std::string& platform) {
  const auto found = std::find_if(kLocalityLevels.begin(), kLocalityLevels.end(),
                                  [&](LocalityLevel level) { return name == name_of(level); });
  if (found == kLocalityLevels.end()) {
    throw Error(fmt::format("platform {} has shared-memory thresholds of the locality level '{}'; use {}, {} or {}",
                            platform, name, kSharedCache, kIntraSocket, kInterSocket));
  }
  return *found;
}

/// As paper 002, section 4.1, has them.
ProtocolThresholds of_paper(Bytes single_copy) {
  return {.eager = 8 * kKilobyte,
          .single_copy = single_copy,
          .cooperative = 128 * kKilobyte,
          .skewed_single_copy = 256 * kKilobyte,
          .bidirectional_single_copy = single_copy};
}

}  // namespace

const char* name_of(LocalityLevel level) {
  switch (level) {
    case LocalityLevel::kCache:
      return kSharedCache;
    case LocalityLevel::kSocket:
      return kIntraSocket;
    case LocalityLevel::kMachine:
      break;
  }
  return kInterSocket;
}

LocalityLevel level_between(const Core& a, const Core& b) {
  const std::string_view name = channel_between(a, b);
  if (name == kSharedCache) {
    return LocalityLevel::kCache;
  }
  return name == kIntraSocket ? LocalityLevel::kSocket : LocalityLevel::kMachine;
}

ThresholdTable::ThresholdTable() {
  set(LocalityLevel::kCache, {.eager = 8 * kKilobyte,
                              .single_copy = 16 * kMegabyte,
                              .cooperative = 16 * kMegabyte,
                              .skewed_single_copy = 16 * kMegabyte,
                              .bidirectional_single_copy = 4 * kMegabyte});
  set(LocalityLevel::kSocket, of_paper(2 * kKilobyte));
  set(LocalityLevel::kMachine, of_paper(1 * kKilobyte));
}

ThresholdTable ThresholdTable::uniform(const ProtocolThresholds& thresholds) {
  ThresholdTable table;
  for (const LocalityLevel level : kLocalityLevels) {
    table.set(level, thresholds);
  }
  return table;
}

ThresholdTable ThresholdTable::of_platform(const Platform& platform, BufferUse buffers) {
  ThresholdTable table;
  const auto use = [&](BufferUse of) {
    for (const MeasuredThresholds& measured : platform.shm_protocols) {
      const LocalityLevel level = level_named(measured.level, platform.name);
      if (measured.buffers == of) {
        table.set(level, measured.thresholds);
      }
    }
  };
  use(BufferUse::kRewritten);
  if (buffers == BufferUse::kReused) {
    use(BufferUse::kReused);
  }
  return table;
}

ThresholdTable ThresholdTable::of_environment(BufferUse buffers) {
  const char* path = std::getenv("POSTAGE_PLATFORM");
  return path == nullptr || *path == '\0' ? ThresholdTable() : of_platform(read_platform(path), buffers);
}

void ThresholdTable::set(LocalityLevel level, const ProtocolThresholds& thresholds) {
  const bool is_negative =
      thresholds.eager < 0 || thresholds.single_copy < 0 || thresholds.bidirectional_single_copy < 0;
  if (is_negative || thresholds.cooperative < thresholds.single_copy ||
      thresholds.skewed_single_copy < thresholds.single_copy) {
    throw UsageError(
        fmt::format("invalid thresholds of {}: eager {}, single copy {}, cooperative {}, single copy under skew {}, "
                    "bidirectional single copy {}; none may be negative, and cooperative and single copy under skew "
                    "not below single copy",
                    name_of(level), thresholds.eager, thresholds.single_copy, thresholds.cooperative,
                    thresholds.skewed_single_copy, thresholds.bidirectional_single_copy));
  }
  levels_[index(level)] = thresholds;
}

}  // namespace postage
