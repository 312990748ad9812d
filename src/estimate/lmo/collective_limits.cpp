#include "estimate/lmo/collective_limits.hpp"

#include "estimate/data/host_times.hpp"
#include "estimate/lmo/escalation_levels.hpp"

#include <postage/estimate/breaks.hpp>
#include <postage/estimate/scatter_gather.hpp>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// One break needs five points on either side.
constexpr std::size_t kLeastSweep = 10;
/// An escalation is a tenfold time.
constexpr double kEscalation = 10;

struct Sweep {
  std::vector<CurvePoint> points;  ///< medians
  std::vector<CurvePoint> means;   ///< in which escalations of some repetitions show
  std::vector<const Measurement*> measurements;
};

/// Of blocks above 0 bytes, in order of size.
Sweep sweep_of(const SampleSet& samples, ExperimentKind kind) {
  std::map<Bytes, const Measurement*> by_size;
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == kind && m.experiment.bytes > 0) {
      by_size[m.experiment.bytes] = &m;
    }
  }
  Sweep sweep;
  for (const auto& [bytes, measurement] : by_size) {
    sweep.points.push_back({bytes, measurement->summary.median});
    sweep.means.push_back({bytes, measurement->summary.mean});
    sweep.measurements.push_back(measurement);
  }
  return sweep;
}

std::optional<ScatterLimit> find_scatter_limit(const SampleSet& samples) {
  const Sweep sweep = sweep_of(samples, ExperimentKind::kScatter);
  return sweep.points.size() < kLeastSweep ? std::nullopt : scatter_limit_of(sweep.points);
}

/// The campaign has narrowed the escalation down to the byte already.
SmallGather small_gather(const Sweep& gather) {
  SmallGather small{.limit = {}, .points = gather.points};
  for (std::size_t i = 1; i < gather.means.size(); ++i) {
    if (gather.means[i].seconds > kEscalation * gather.means[i - 1].seconds) {
      const auto calm = static_cast<double>(gather.means[i - 1].bytes);
      small.limit = SizeLimit{calm, calm, static_cast<double>(gather.means[i].bytes)};
      break;
    }
  }
  return small;
}

/// Slopes of gather to rank 0; nothing where some link to it is not known.
std::optional<GatherSlopes> slopes_at(const LmoEstimates& estimates, int ranks, bool printed_kappa) {
  std::vector<double> per_byte;
  std::vector<double> bandwidth;
  for (int rank = 1; rank < ranks; ++rank) {
    const auto processor = estimates.processors.find(rank);
    const auto link = estimates.links.find({0, rank});
    if (processor == estimates.processors.end() || link == estimates.links.end()) {
      return std::nullopt;
    }
    per_byte.push_back(processor->second.per_byte.value);
    bandwidth.push_back(1 / link->second.per_byte.value);
  }
  const auto root = estimates.processors.find(0);
  if (root == estimates.processors.end() || per_byte.empty()) {
    return std::nullopt;
  }
  return gather_slopes(printed_kappa ? 0 : root->second.per_byte.value, per_byte, bandwidth);
}

/// Where no slope could be fitted, the correction may be anything up to the slope itself.
Estimate known_or_none(const std::optional<Estimate>& correction, double slope) {
  return correction.value_or(Estimate{0, -slope, slope});
}

/// Of blocks above M_1 and up to M_2.
void add_levels(ParameterTable& table, const Sweep& gather, double small, double large) {
  CalmGather calm;
  std::vector<SeriesPoint> small_points;
  std::vector<const Measurement*> medium;
  for (std::size_t i = 0; i < gather.points.size(); ++i) {
    const auto bytes = static_cast<double>(gather.points[i].bytes);
    if (bytes <= small) {
      small_points.push_back({bytes, gather.points[i].seconds});
    } else if (bytes <= large) {
      medium.push_back(gather.measurements[i]);
    } else if (calm.least_large == 0) {
      calm.least_large = gather.points[i].seconds;
    }
  }
  calm.small = small_points.empty() ? FittedLine{} : fit_run(small_points, {});
  int number = 0;
  for (const LevelEstimate& level : escalation_levels(medium, calm)) {
    const std::string index = std::to_string(++number);
    add_to_platform_group(table, "E_" + index, level.excess);
    add_to_platform_group(table, "f_" + index, level.share);
  }
}

/// Above S blocks are serialised: the time leaps, or its slope is nearer to that of the sum of all transmissions than
/// of the longest. A curve may bend for other reasons, as where another receiver becomes the slowest.
bool is_leap(const ScatterLimit& found, const Sweep& scatter, const GatherSlopes& slopes) {
  constexpr double kLeastStep = 0.1;
  Seconds below = 0;
  for (const CurvePoint& point : scatter.points) {
    below = static_cast<double>(point.bytes) <= found.limit.value ? point.seconds : below;
  }
  return found.step > kLeastStep * below || found.slope_large.value > (slopes.small + slopes.large) / 2;
}

}  // namespace

std::optional<Estimate> scatter_limit(const SampleSet& samples) {
  const std::optional<ScatterLimit> found = find_scatter_limit(samples);
  return found ? std::optional(found->limit) : std::nullopt;
}

void add_collective_limits(ParameterTable& table, const SampleSet& samples, const LmoEstimates& estimates,
                           bool printed_kappa) {
  const Sweep gather = sweep_of(samples, ExperimentKind::kGather);
  const std::optional<GatherSlopes> slopes =
      slopes_at(estimates, static_cast<int>(samples.ranks.size()), printed_kappa);
  if (gather.points.size() < kLeastSweep || !slopes) {
    return;
  }
  const auto end = static_cast<double>(gather.points.back().bytes);
  const Estimate nowhere{end, end, std::numeric_limits<double>::infinity()};
  const SmallGather small_blocks = small_gather(gather);
  const GatherLimits found = gather_limits(small_blocks, small_blocks.limit ? gather.means : gather.points, *slopes);
  const Estimate large = found.large_limit.value_or(nowhere);
  const Estimate small = found.small_limit.value_or(large);
  const std::optional<ScatterLimit> leap = find_scatter_limit(samples);
  const bool is_known = leap && is_leap(*leap, sweep_of(samples, ExperimentKind::kScatter), *slopes);
  add_to_platform_group(table, "S", is_known ? leap->limit : nowhere);
  add_to_platform_group(table, "M_1", small);
  add_to_platform_group(table, "M_2", large);
  add_to_platform_group(table, "kappa_1", known_or_none(found.small_correction, slopes->small));
  add_to_platform_group(table, "kappa_2", known_or_none(found.large_correction, slopes->large));
  if (found.small_limit) {
    add_levels(table, gather, small.value, large.value);
  }
}

}  // namespace postage
