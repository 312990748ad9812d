#include "tuning/watch/layers.hpp"

#include <postage/measure/collective_run.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace postage {
namespace {

/// Collectives from this size on are large.
constexpr Bytes kLargeCollective = Bytes{8} << 10;

LayerChange median_where(const Changes& changes, const std::function<bool(Bytes)>& is_meant) {
  std::vector<double> found;
  for (const auto& [bytes, change] : changes) {
    if (is_meant(bytes)) {
      found.push_back(change);
    }
  }
  return found.empty() ? LayerChange{} : LayerChange{median(found), found.size()};
}

std::map<std::string, Changes> medians_by_place(
    const std::map<std::string, std::map<Bytes, std::vector<double>>>& all) {
  std::map<std::string, Changes> medians;
  for (const auto& [place, sizes] : all) {
    for (const auto& [bytes, changes] : sizes) {
      medians[place][bytes] = median(changes);
    }
  }
  return medians;
}

}  // namespace

Medians medians_of(std::span<const SampleSet> runs) {
  std::map<Experiment, std::vector<double>> times;
  for (const SampleSet& run : runs) {
    for (const Measurement& measurement : run.measurements) {
      if (measurement.summary.count > 0 && measurement.summary.median > 0) {
        times[measurement.experiment].push_back(measurement.summary.median);
      }
    }
  }
  Medians medians;
  for (const auto& [experiment, values] : times) {
    medians[experiment] = median(values);
  }
  return medians;
}

ChangesByPlace changes_between(const Medians& before, const Medians& after, const SampleSet& ranks_of) {
  std::map<std::string, std::map<Bytes, std::vector<double>>> messages;
  std::map<std::string, std::map<Bytes, std::vector<double>>> collectives;
  for (const auto& [experiment, seconds] : after) {
    const auto then = before.find(experiment);
    if (then == before.end()) {
      continue;
    }
    const double change = std::log(seconds / then->second);
    if (experiment.kind == ExperimentKind::kCollective) {
      collectives[experiment.collective][experiment.bytes].push_back(change);
    } else if (experiment.kind == ExperimentKind::kRoundtrip) {
      const auto& ranks = ranks_of.ranks;
      messages[channel_of(ranks_of.nodes, ranks.at(static_cast<std::size_t>(experiment.source)),
                          ranks.at(static_cast<std::size_t>(experiment.target)))][experiment.bytes]
          .push_back(change);
    }
  }
  return {medians_by_place(messages), medians_by_place(collectives)};
}

LayerChange latency_change(const Changes& changes) {
  return median_where(changes, [](Bytes bytes) { return bytes <= kLargestOfLatency; });
}

LayerChange rate_change(const Changes& changes) {
  return median_where(changes, [](Bytes bytes) { return bytes >= kSmallestOfRate; });
}

LayerChange protocol_change(const Changes& changes) {
  const auto first = changes.upper_bound(kLargestOfLatency);
  const auto last = changes.lower_bound(kSmallestOfRate);
  LayerChange most;
  for (auto at = first; at != last && std::next(at) != last; ++at) {
    const double shared = std::min(at->second, std::next(at)->second);
    if (most.experiments == 0 || shared > most.change) {
      most = {shared, 2};
    }
  }
  return most;
}

LayerChange small_change(const Changes& changes) {
  return median_where(changes, [](Bytes bytes) { return bytes < kLargeCollective; });
}

LayerChange large_change(const Changes& changes) {
  return median_where(changes, [](Bytes bytes) { return bytes >= kLargeCollective; });
}

}  // namespace postage
