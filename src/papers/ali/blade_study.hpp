#pragma once

#include "papers/ali/blade_points.hpp"

#include <postage/papers/context.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/validate/error_statistics.hpp>

#include <optional>

namespace postage::ali_paper {

/// Which parameters predict: those of the paper; its own with the gap that Kielmann's method gives; without congestion.
enum class Parameters { kOwn, kKielmannGap, kNoCongestion };

/// The simulated blade's parameters, for 8 SPEs and for 16.
struct BladeParameters {
  PlatformModel chip;
  PlatformModel blade;
};

/// The evaluation of section 7 on the simulated blade: predicted and simulated times of every point that fits into the
/// local stores.
class BladeStudy {
 public:
  /// Runs the simulator's programs, once in a context. Throws Error where postage-blade was not built.
  explicit BladeStudy(PaperContext& context);

  [[nodiscard]] const std::vector<StudyPoint>& points() const { return points_; }
  [[nodiscard]] Seconds simulated(std::size_t point) const { return simulated_.at(point); }
  /// By the table's formula, in the middle of the interval that X makes of it.
  [[nodiscard]] Seconds predicted(std::size_t point, Parameters parameters = Parameters::kOwn) const;
  /// By the evaluator, of the schedule that was simulated.
  [[nodiscard]] Seconds evaluated(std::size_t point, std::optional<Evaluator> evaluator = std::nullopt) const;
  /// What the table's formula gives without its misprints: one L(1) a round of an all-reduction by recursive doubling,
  /// and a barrier by recursive doubling of 9 to 15 elements that crosses twice.
  [[nodiscard]] Seconds righted(std::size_t point) const;
  /// (predicted - simulated)/simulated.
  [[nodiscard]] double error(std::size_t point, Parameters parameters = Parameters::kOwn) const;

  /// Points left out since their buffers do not fit into a local store.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] const BladeParameters& parameters(Parameters which) const;
  /// Those of one series, in their order.
  [[nodiscard]] std::vector<std::size_t> points_of(std::string_view series) const;
  [[nodiscard]] std::vector<std::string> series() const;

 private:
  [[nodiscard]] const PlatformModel& platform_for(const StudyPoint& point, Parameters parameters) const;

  std::vector<StudyPoint> points_;
  std::vector<Seconds> simulated_;
  std::size_t left_out_ = 0;
  std::vector<BladeParameters> parameters_;  ///< by Parameters
};

/// What `postage-blade ARGUMENTS` prints. Throws Error where it was not built.
[[nodiscard]] Json run_blade(PaperContext& context, const std::vector<std::string>& arguments);

}  // namespace postage::ali_paper
