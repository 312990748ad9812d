#pragma once

#include "cli/launching.hpp"

#include <postage/predict/accuracy.hpp>

#include <string>
#include <vector>

namespace postage {

/// A row of the suite that takes real time: this machine's cores, or the lab.
struct RealPlatform {
  std::string name;  ///< openmpi, mpich, channel or lab
  std::string title;
};

[[nodiscard]] std::vector<RealPlatform> real_platforms();

/// Measures messages, estimates, then times collectives that nothing was fitted to. Throws Error saying why where the
/// platform cannot be had here. The lab is built for it, and taken down again.
[[nodiscard]] std::vector<AccuracyPoint> run_real(const RealPlatform& platform);

}  // namespace postage
