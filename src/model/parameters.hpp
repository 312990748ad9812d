#pragma once

#include <postage/model/descriptor.hpp>

namespace postage {

// Parameters that several models have, and short forms of what their descriptions are made of.

inline constexpr ParameterDescription kGamma{.symbol = "gamma",
                                             .unit = "s/B",
                                             .meaning = "combining a byte in a reduction",
                                             .owner = ParameterOwner::kPlatform,
                                             .required = false,
                                             .role = ParameterRole::kOverhead};
[[nodiscard]] constexpr ParameterDescription with_role(ParameterRole role, ParameterDescription parameter) {
  parameter.role = role;
  return parameter;
}
[[nodiscard]] constexpr ParameterDescription latency(ParameterDescription parameter) {
  return with_role(ParameterRole::kLatency, parameter);
}
[[nodiscard]] constexpr ParameterDescription bandwidth(ParameterDescription parameter) {
  return with_role(ParameterRole::kBandwidth, parameter);
}
[[nodiscard]] constexpr ParameterDescription overhead(ParameterDescription parameter) {
  return with_role(ParameterRole::kOverhead, parameter);
}

inline constexpr ParameterDescription kLatency = latency({"L", "s", "latency"});
inline constexpr ParameterDescription kGap = with_role(ParameterRole::kMessageRate, {"g", "s", "gap between messages"});
inline constexpr ParameterDescription kGapPerByte = bandwidth({"G", "s/B", "gap per byte"});
inline constexpr ParameterDescription kSendOverhead =
    overhead({.symbol = "o_s", .unit = "s", .meaning = "overhead of sending", .falls_back_to = "o"});
inline constexpr ParameterDescription kReceiveOverhead =
    overhead({.symbol = "o_r", .unit = "s", .meaning = "overhead of receiving", .falls_back_to = "o"});

[[nodiscard]] constexpr ParameterDescription as_curve(ParameterDescription parameter) {
  parameter.shape = ParameterShape::kCurve;
  return parameter;
}

[[nodiscard]] constexpr ParameterDescription curve(std::string_view symbol, std::string_view meaning) {
  return {symbol, "s", meaning, ParameterShape::kCurve};
}

[[nodiscard]] constexpr ParameterDescription surface(std::string_view symbol, std::string_view over,
                                                     std::string_view meaning) {
  return {symbol, "s", meaning, ParameterShape::kSurface, over};
}

[[nodiscard]] constexpr ParameterDescription optional(ParameterDescription parameter) {
  parameter.required = false;
  return parameter;
}

[[nodiscard]] constexpr ParameterDescription of_processor(ParameterDescription parameter) {
  parameter.owner = ParameterOwner::kProcessor;
  return parameter;
}

/// Optional, as all of these are.
[[nodiscard]] constexpr ParameterDescription of_platform(ParameterDescription parameter) {
  parameter.owner = ParameterOwner::kPlatform;
  parameter.required = false;
  return parameter;
}

}  // namespace postage
