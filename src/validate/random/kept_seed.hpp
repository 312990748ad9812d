#pragma once

#include <postage/launch/random_platform.hpp>
#include <postage/measure/batch.hpp>
#include <postage/platform/platform.hpp>
#include <postage/samples/samples.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace postage {

/// A folder for what was measured on one random platform; what is there is used as it is, so that a changed model
/// can be tried without simulations.
class KeptSeed {
 public:
  /// Below `keep`; keeps nothing where that is empty.
  KeptSeed(const std::filesystem::path& keep, const RandomPlatform& random);

  [[nodiscard]] bool is_kept() const { return !folder_.empty(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// The samples in the file of this name, else what `measure` returns, which is written into it. Throws Error where
  /// the file holds no samples.
  [[nodiscard]] SampleSet samples(const std::string& name, const std::function<SampleSet()>& measure) const;

  /// The repeated times of each point that are kept for the same points, else what `simulate` returns.
  [[nodiscard]] std::vector<std::vector<double>> times(
      const std::vector<BatchPoint>& points, const std::function<std::vector<std::vector<double>>()>& simulate) const;

  void keep(const Platform& platform) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace postage
