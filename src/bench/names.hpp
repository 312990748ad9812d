#pragma once

#include <array>

namespace postage {

// Programs of a repetition.
inline constexpr const char* kShm = "shm";  ///< the others' names begin with it
inline constexpr const char* kShmNoCma = "shm-no-cma";
inline constexpr const char* kShmSingleCopy = "shm-single-copy";
inline constexpr const char* kShmSkewAware = "shm-skew-aware";  ///< in the experiment skew only
inline constexpr const char* kLimits = "limits";
/// What shared memory is compared with.
inline constexpr std::array<const char*, 3> kOthers{"openmpi", "openmpi-no-cma", "mpich"};

}  // namespace postage
