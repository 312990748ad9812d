#include "measure/campaign/control_points.hpp"

#include "measure/messages.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace postage {
namespace {

constexpr Seconds kProbeTime = 1e-3;
constexpr std::size_t kProbedPoints = 2;

/// Enough repetitions for a narrow interval where the machine is quiet.
MeasureSettings for_control(MeasureSettings settings) {
  settings.passes = 1;
  settings.least_repetitions = std::max(settings.least_repetitions, 40);
  return settings;
}

/// Some milliseconds in each pass.
MeasureSettings for_probe(MeasureSettings settings) {
  settings.passes = 1;
  settings.least_repetitions = 10;
  settings.most_repetitions = std::numeric_limits<int>::max();
  settings.keep_values = true;
  return settings;
}

}  // namespace

void run_slot(TaskContext& context, const CampaignStage& stage, const ConcurrentSet& set, SeriesStore& store,
              const SlotLimits& limits) {
  const Rank own = context.transport.rank();
  for (const RankGroup& group : set) {
    if (group.front() == own) {
      store.group = group;
      lead_slot(context, stage, store, limits);
    } else if (std::find(group.begin(), group.end(), own) != group.end()) {
      follow_slot(context, stage, group);
    }
  }
}

ControlPoints::ControlPoints(TaskContext& context, const CampaignPlan& plan, const RankPlacements& placements,
                             const MeasureSettings& settings)
    : context_(context),
      settings_(settings),
      control_settings_(for_control(settings)),
      probe_settings_(for_probe(settings)) {
  if (!context.transport.is_virtual() && !plan.control_sizes.empty()) {
    stage_ = control_stage(plan, placements);
    probe_stage_ = stage_;
    probe_stage_.shapes.resize(std::min(probe_stage_.shapes.size(), kProbedPoints));
  }
}

void ControlPoints::measure(SeriesStore& store) {
  for (const ConcurrentSet& set : stage_.sets) {
    run_slot(context_, stage_, set, store, {control_settings_, settings_.budget / 100, settings_.budget});
  }
  std::array<std::int32_t, 1> done{};
  agree_on_largest(context_.transport, done);
}

void ControlPoints::probe() {
  for (const ConcurrentSet& set : probe_stage_.sets) {
    run_slot(context_, probe_stage_, set, probed_,
             {probe_settings_, kProbeTime, kProbeTime, std::numeric_limits<double>::infinity(), probes_made_});
  }
  ++probes_made_;
  ++probes_of_pass_.back();
}

std::vector<Control> ControlPoints::controls(Seconds clock_tick) const {
  std::vector<Control> own;
  for (const auto& [shape, before] : before_.series) {
    if (const auto after = after_.series.find(shape); after != after_.series.end()) {
      own.push_back({before.experiment(), before.measurement(settings_, clock_tick).summary,
                     after->second.measurement(settings_, clock_tick).summary});
    }
  }
  return own;
}

std::vector<Measurement> ControlPoints::probes(Seconds clock_tick) const {
  std::vector<Measurement> own;
  for (const auto& [shape, series] : probed_.series) {
    own.push_back(series.measurement(probe_settings_, clock_tick));
  }
  return own;
}

std::vector<std::vector<std::vector<double>>> ControlPoints::by_passes(const std::vector<Measurement>& probed) const {
  const auto is_complete = [&](std::size_t moment) {
    return std::all_of(probed.begin(), probed.end(), [&](const Measurement& point) {
      return moment < point.passes.size() && !point.passes[moment].empty();
    });
  };
  std::vector<std::vector<std::vector<double>>> probes(probed.size(),
                                                       std::vector<std::vector<double>>(probes_of_pass_.size()));
  std::size_t moment = 0;
  for (std::size_t pass = 0; pass < probes_of_pass_.size(); ++pass) {
    for (const std::size_t end = moment + probes_of_pass_[pass]; moment < end; ++moment) {
      for (std::size_t point = 0; is_complete(moment) && point < probed.size(); ++point) {
        probes[point][pass].push_back(median(probed[point].passes[moment]));
      }
    }
  }
  return probes;
}

}  // namespace postage
