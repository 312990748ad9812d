#pragma once

#include <postage/samples/samples.hpp>
#include <postage/transport/transport.hpp>

#include <cstdint>
#include <vector>

namespace postage {

/// Looks at the probes of a campaign's passes: those in which the machine was in another state than in most of them are
/// disturbed. They are left out, and made again, up to half as many as there are passes.
class PassGuard {
 public:
  /// [control point][pass][moment], as in SampleSet.
  using Probes = std::vector<std::vector<std::vector<double>>>;

  explicit PassGuard(int passes) : passes_(passes) {}

  /// After the passes that must be, and after each that is made again, on all ranks; `probes` are rank 0's. A pass that
  /// is made again is compared with those that are not disturbed.
  void judge(const Probes& probes, Transport& transport);

  /// True where another pass is worth its time.
  [[nodiscard]] bool wants_another() const;

  /// By pass; empty where nothing is known of them.
  [[nodiscard]] const std::vector<std::int32_t>& disturbed() const { return disturbed_; }
  [[nodiscard]] std::size_t disturbed_count() const;
  /// Passes made beyond those that must be.
  [[nodiscard]] std::size_t repeated_count() const;

  /// Without what the disturbed passes' probes were.
  [[nodiscard]] Probes without_disturbed(Probes probes) const;

 private:
  int passes_;
  std::vector<std::int32_t> disturbed_;
};

}  // namespace postage
