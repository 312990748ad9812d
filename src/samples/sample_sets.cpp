#include <postage/base/error.hpp>
#include <postage/samples/samples.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace postage {
namespace {

/// Passes that were kept, one after another; where either side kept none, nothing is left to summarise again.
void append(Measurement& to, Measurement&& from, const MeasureSettings& settings, Seconds clock_tick) {
  const bool kept = !to.passes.empty() && !from.passes.empty();
  if (!kept) {
    to = from.summary.count > to.summary.count ? std::move(from) : std::move(to);
    return;
  }
  to.passes.insert(to.passes.end(), from.passes.begin(), from.passes.end());
  const bool have_speeds = !to.processors.empty() && !from.processors.empty();
  to.processors.insert(to.processors.end(), from.processors.begin(), from.processors.end());
  if (!have_speeds) {
    to.processors.clear();
  }
  to.late += from.late;
  to.summary = summarise(to.passes, settings.confidence, resolution_of(to, clock_tick));
  to.precise = to.summary.median_interval.relative_half_width(to.summary.median) <= settings.precision;
}

void check_same_machine(const SampleSet& a, const SampleSet& b) {
  const auto check = [](bool same, const char* what) {
    if (!same) {
      throw Error(fmt::format("the campaigns do not belong together: they differ in {}", what));
    }
  };
  check(a.implementation == b.implementation, "their MPI implementation");
  check(a.is_virtual == b.is_virtual, "whether they were simulated");
  check(a.nodes == b.nodes, "their hosts");
  check(a.ranks == b.ranks, "where their ranks ran");
}

}  // namespace

Seconds resolution_of(const Measurement& m, Seconds clock_tick) {
  const bool is_overhead =
      m.experiment.kind == ExperimentKind::kSendOverhead || m.experiment.kind == ExperimentKind::kDelayedReceive;
  return clock_tick / (m.inner * (is_overhead ? m.experiment.messages : 1));
}

const char* channel_of(std::span<const Node> nodes, const RankPlacement& from, const RankPlacement& to) {
  if (from.node != to.node) {
    return kInterNode;
  }
  const auto& cores = nodes[static_cast<std::size_t>(from.node)].topology.cores;
  return channel_between(cores[static_cast<std::size_t>(from.core)], cores[static_cast<std::size_t>(to.core)]);
}

SampleSet merge_samples(std::vector<SampleSet> campaigns) {
  SampleSet merged = std::move(campaigns.front());
  std::map<Experiment, std::size_t> index_of;
  for (std::size_t i = 0; i < merged.measurements.size(); ++i) {
    index_of.emplace(merged.measurements[i].experiment, i);
  }
  for (std::size_t i = 1; i < campaigns.size(); ++i) {
    check_same_machine(merged, campaigns[i]);
    for (Measurement& m : campaigns[i].measurements) {
      const auto [known, is_new] = index_of.emplace(m.experiment, merged.measurements.size());
      if (is_new) {
        merged.measurements.push_back(std::move(m));
      } else {
        append(merged.measurements[known->second], std::move(m), merged.settings, merged.clock_tick);
      }
    }
    for (Control& control : campaigns[i].controls) {
      merged.controls.push_back(std::move(control));
    }
    std::ranges::move(campaigns[i].left_out, std::back_inserter(merged.left_out));
    merged.probes.clear();  // passes have other numbers now
    merged.interrupted = merged.interrupted || campaigns[i].interrupted;
    merged.duration += campaigns[i].duration;
    merged.clock_error = std::max(merged.clock_error, campaigns[i].clock_error);
    merged.experiments = merged.measurements.size();
  }
  // What one campaign had no time for may be in another.
  std::erase_if(merged.left_out, [&](const Experiment& experiment) { return index_of.contains(experiment); });
  return merged;
}

}  // namespace postage
