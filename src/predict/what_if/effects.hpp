#pragma once

#include <postage/platform/mapping.hpp>
#include <postage/predict/what_if.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

inline constexpr std::string_view kOfLatency = "latency";
inline constexpr std::string_view kOfBandwidth = "bandwidth";
inline constexpr std::string_view kOfMessageRate = "message-rate";
inline constexpr std::string_view kOfOverhead = "overhead";
inline constexpr std::string_view kOfSpeed = "speed";

/// True of a quantity of which more is better: the times that it stands for are divided by its factor.
[[nodiscard]] bool is_rate(std::string_view quantity);

/// "inter-node.bandwidth".
[[nodiscard]] std::string resource_name(std::string_view owner, std::string_view quantity);
/// "processor 3".
[[nodiscard]] std::string processor_name(int rank);

/// Which resources a parameter of a group depends on: those of the part that does not grow with the size, and of the
/// part that does. Both are the same for a single value. Empty where no resource changes it.
struct ParameterEffect {
  std::vector<std::string> fixed{};
  std::vector<std::string> growing{};
  bool is_rate = false;  ///< in bytes per second, not a time
};

/// Says it for the parameters of one table on one platform.
class EffectFinder {
 public:
  EffectFinder(const Platform& platform, const ParameterTable& table);

  [[nodiscard]] ParameterEffect effect_of(const ParameterGroup& group, const std::string& symbol) const;

 private:
  [[nodiscard]] std::string channel_of(const ParameterScope& scope) const;

  const Platform& platform_;
  const ParameterTable& table_;
  std::optional<ChannelMap> measured_{};  ///< the measured ranks
};

}  // namespace postage
