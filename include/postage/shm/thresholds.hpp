#pragma once

#include <postage/platform/platform.hpp>

#include <array>

namespace postage {

/// How near two ranks of a node are: the classes of paper 002 (Chai et al., figure 1), nearest first.
enum class LocalityLevel { kSameCache, kSameSocket, kOtherSocket };
inline constexpr std::array<LocalityLevel, 3> kLocalityLevels{LocalityLevel::kSameCache, LocalityLevel::kSameSocket,
                                                              LocalityLevel::kOtherSocket};

/// kSharedCache, kIntraSocket or kInterSocket of topology.hpp.
[[nodiscard]] const char* name_of(LocalityLevel distance);
[[nodiscard]] LocalityLevel distance_between(const Core& a, const Core& b);

/// Thresholds of each class of distance.
class ThresholdTable {
 public:
  /// Single copy from 32 KB (shared cache), 2 KB (intra-socket) and 1 KB (inter-socket) on: what paper 002,
  /// section 4.1, found on its machine, to be replaced by what is measured on this one. Long messages are judged from
  /// ProtocolThresholds::kLeastExchange on.
  ThresholdTable();
  /// The same for every class. Throws as set().
  [[nodiscard]] static ThresholdTable uniform(const ProtocolThresholds& thresholds);
  /// Those that were measured on this machine, where the platform holds any; the ones above for the other classes.
  /// Throws Error for a class that there is not and for sizes that cannot be.
  [[nodiscard]] static ThresholdTable of_platform(const Platform& platform);
  /// Those of the platform file that the environment variable POSTAGE_PLATFORM names; without it, the defaults. Throws
  /// Error as read_platform and of_platform do.
  [[nodiscard]] static ThresholdTable of_environment();

  [[nodiscard]] const ProtocolThresholds& of(LocalityLevel distance) const { return classes_[index(distance)]; }
  /// Throws UsageError for negative sizes and for an order that cannot be meant (joint_copy or skewed_single_copy below
  /// single_copy).
  void set(LocalityLevel distance, const ProtocolThresholds& thresholds);
  bool operator==(const ThresholdTable&) const = default;

 private:
  [[nodiscard]] static std::size_t index(LocalityLevel distance) { return static_cast<std::size_t>(distance); }

  std::array<ProtocolThresholds, kLocalityLevels.size()> classes_{};
};

}  // namespace postage
