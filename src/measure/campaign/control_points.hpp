#pragma once

#include "measure/campaign/sampling_slot.hpp"

#include <vector>

namespace postage {

/// Takes the calling rank's part in a set of groups: leads, follows or does nothing.
void run_slot(TaskContext& context, const CampaignStage& stage, const ConcurrentSet& set, SeriesStore& store,
              const SlotLimits& limits);

/// Roundtrips of a few sizes between the first two ranks: before and after the campaign, and for a moment between its
/// stages, where the two smallest sizes say how fast the machine is. Nothing in simulations.
class ControlPoints {
 public:
  ControlPoints(TaskContext& context, const CampaignPlan& plan, const RankPlacements& placements,
                const MeasureSettings& settings);

  void measure_before() { measure(before_); }
  void measure_after() { measure(after_); }

  void begin_pass() { probes_of_pass_.emplace_back(0); }
  void probe();

  /// Of the points that this rank leads.
  [[nodiscard]] std::vector<Control> controls(Seconds clock_tick) const;
  [[nodiscard]] std::vector<Measurement> probes(Seconds clock_tick) const;

  /// Medians of the probes, [point][pass][moment], of the moments at which all points were measured.
  [[nodiscard]] std::vector<std::vector<std::vector<double>>> by_passes(const std::vector<Measurement>& probed) const;

 private:
  void measure(SeriesStore& store);

  TaskContext& context_;
  const MeasureSettings& settings_;
  MeasureSettings control_settings_;
  MeasureSettings probe_settings_;
  CampaignStage stage_;
  CampaignStage probe_stage_;
  SeriesStore before_;
  SeriesStore after_;
  SeriesStore probed_;
  std::size_t probes_made_ = 0;
  std::vector<std::size_t> probes_of_pass_;
};

}  // namespace postage
