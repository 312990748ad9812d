#pragma once

#include <postage/platform/platform.hpp>

#include <array>

namespace postage {

/// What two ranks of a node share: the classes of paper 002 (Chai et al., figure 1), nearest first.
enum class LocalityLevel { kCache, kSocket, kMachine };
inline constexpr std::array<LocalityLevel, 3> kLocalityLevels{LocalityLevel::kCache, LocalityLevel::kSocket,
                                                              LocalityLevel::kMachine};

/// kSharedCache, kIntraSocket or kInterSocket of topology.hpp.
[[nodiscard]] const char* name_of(LocalityLevel level);
[[nodiscard]] LocalityLevel level_between(const Core& a, const Core& b);

/// Thresholds of each locality level.
class ThresholdTable {
 public:
  /// Of levels that were not measured. Shared cache: copy-in copy-out up to 16 MiB (bidirectional: 4 MiB), which was
  /// the best compromise between the machines measured (docs/shared-memory.md). Socket and machine: single copy from
  /// 2 KB and 1 KB on, which paper 002, section 4.1, found on its machine.
  ThresholdTable();
  /// The same for every level. Throws as set().
  [[nodiscard]] static ThresholdTable uniform(const ProtocolThresholds& thresholds);
  /// Those that were measured on this machine for such buffers, where the platform holds any (of reused buffers: else
  /// those of rewritten ones); the defaults for the other levels. Throws Error for a level that does not exist and for
  /// invalid sizes.
  [[nodiscard]] static ThresholdTable of_platform(const Platform& platform, BufferUse buffers = BufferUse::kRewritten);
  /// Those of the platform file that the environment variable POSTAGE_PLATFORM names; without it, the defaults. Throws
  /// Error as read_platform and of_platform do.
  [[nodiscard]] static ThresholdTable of_environment(BufferUse buffers = BufferUse::kRewritten);

  [[nodiscard]] const ProtocolThresholds& of(LocalityLevel level) const { return levels_[index(level)]; }
  /// Throws UsageError for negative sizes and for an invalid order (cooperative or skewed_single_copy below
  /// single_copy).
  void set(LocalityLevel level, const ProtocolThresholds& thresholds);
  bool operator==(const ThresholdTable&) const = default;

 private:
  [[nodiscard]] static std::size_t index(LocalityLevel level) { return static_cast<std::size_t>(level); }

  std::array<ProtocolThresholds, kLocalityLevels.size()> levels_{};
};

}  // namespace postage
