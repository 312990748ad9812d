#pragma once

#include <array>

namespace postage {

// Programs of a round.
inline constexpr const char* kChannel = "channel";
inline constexpr const char* kTwoCopies = "channel-two-copies";
inline constexpr const char* kLimits = "limits";
/// What the channel is compared with.
inline constexpr std::array<const char*, 3> kOthers{"openmpi", "openmpi-no-cma", "mpich"};

}  // namespace postage
