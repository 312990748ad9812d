#include <postage/validate/outliers.hpp>

#include <algorithm>
#include <set>

namespace postage {

HostPairTimes host_pair_times(const SampleSet& samples) {
  HostPairTimes times;
  for (const Node& node : samples.nodes) {
    times.hosts.push_back(node.name);
  }
  const auto add = [&](int source, int target, Bytes bytes, const Estimate& time) {
    const RankPlacement& from = samples.ranks[static_cast<std::size_t>(source)];
    const RankPlacement& to = samples.ranks[static_cast<std::size_t>(target)];
    times.times.push_back({from.node, to.node, channel_of(samples.nodes, from, to), bytes, time});
  };
  std::set<RankPair> measured;
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kRoundtrip && e.bytes == e.reply_bytes) {
      measured.insert(std::minmax(e.source, e.target));
      const Interval& interval = m.summary.median_interval;
      add(e.source, e.target, e.bytes, {m.summary.median / 2, interval.lower / 2, interval.upper / 2});
    }
  }
  // Others were only probed, where pairs are measured by classes.
  for (const PairProbe& probe : samples.pair_probes.pairs) {
    for (std::size_t i = 0; i < probe.times.size() && !measured.contains(probe.ranks); ++i) {
      const Estimate& time = probe.times[i];
      add(probe.ranks.first, probe.ranks.second, samples.pair_probes.sizes[i],
          {time.value / 2, time.lower / 2, time.upper / 2});
    }
  }
  return times;
}

}  // namespace postage
