#pragma once

#include <postage/validate/accuracy.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace postage {

/// A row of the suite that takes real time: this machine's cores, or the lab.
struct RealPlatform {
  std::string name;  ///< openmpi, mpich, shm or lab
  std::string title;
};

[[nodiscard]] std::vector<RealPlatform> real_platforms();

struct RealResult {
  std::vector<AccuracyPoint> points{};
  std::string left_out{};  ///< a sentence; empty where nothing was
};

/// Measures messages, estimates, then times collectives that nothing was fitted to. Throws Error saying why where the
/// platform cannot be had here. The lab is built for it, and taken down again. `keep` is a folder for the samples;
/// empty keeps none.
[[nodiscard]] RealResult run_real(const RealPlatform& platform, const std::filesystem::path& keep);

}  // namespace postage
