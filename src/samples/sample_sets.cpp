#include "samples/rank_union.hpp"

#include <postage/base/error.hpp>
#include <postage/samples/one_state.hpp>
#include <postage/samples/samples.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace postage {
namespace {

/// A number for each pass of both; none where either has none.
void append_by_pass(std::vector<double>& to, const std::vector<double>& from) {
  const bool has_both = !to.empty() && !from.empty();
  to.insert(to.end(), from.begin(), from.end());
  if (!has_both) {
    to.clear();
  }
}

/// Passes that were kept, one after another; where either side kept none, nothing is left to summarise again.
void append(Measurement& to, Measurement&& from, const MeasureSettings& settings, Seconds clock_tick) {
  const bool kept = !to.passes.empty() && !from.passes.empty();
  if (!kept) {
    to = from.summary.count > to.summary.count ? std::move(from) : std::move(to);
    return;
  }
  to.passes.insert(to.passes.end(), from.passes.begin(), from.passes.end());
  append_by_pass(to.processors, from.processors);
  append_by_pass(to.links, from.links);
  to.late += from.late;
  to.summary = summarise(to.passes, settings.confidence, resolution_of(to, clock_tick));
  to.precise = to.summary.median_interval.relative_half_width(to.summary.median) <= settings.precision;
}

void check_same_kind(const SampleSet& a, const SampleSet& b) {
  const auto check = [](bool same, const char* what) {
    if (!same) {
      throw Error(fmt::format("the campaigns do not belong together: they differ in {}", what));
    }
  };
  check(a.implementation == b.implementation, "their MPI implementation");
  check(a.is_virtual == b.is_virtual, "whether they were simulated");
}

/// Counts what two campaigns have both, and where they differ by more than noise.
class Comparison {
 public:
  void add(const Measurement& before, const Measurement& after, double precision) {
    ++common_;
    if (before.summary.count > 1 && after.summary.count > 1 && has_changed(before.summary, after.summary, precision)) {
      if (changed_++ == 0) {
        example_ = fmt::format("{} of {} takes {} there and {} here", describe(before.experiment),
                               format_bytes(before.experiment.bytes), format_seconds(before.summary.median),
                               format_seconds(after.summary.median));
      }
    }
  }

  /// One time in twenty differs by chance where intervals are of 95 %.
  [[nodiscard]] std::optional<std::string> contradiction(const std::string& name) const {
    constexpr double kByChance = 0.05;
    if (static_cast<double>(changed_) <= kByChance * static_cast<double>(common_)) {
      return {};
    }
    return fmt::format("{} contradicts the campaigns before it: {} of {} common times differ by more than noise; {}",
                       name, changed_, common_, example_);
  }

  [[nodiscard]] bool has_common() const { return common_ > 0; }

 private:
  std::size_t common_ = 0;
  std::size_t changed_ = 0;
  std::string example_;
};

std::string name_of_campaign(const std::vector<std::string>& names, std::size_t number) {
  return number < names.size() ? names[number] : fmt::format("campaign {}", number + 1);
}

/// Pairs that were not probed before; probes at other sizes say nothing beside these.
void add_pair_probes(PairProbes& merged, PairProbes more) {
  if (merged.empty()) {
    merged = std::move(more);
    return;
  }
  if (more.sizes != merged.sizes) {
    return;
  }
  std::set<RankPair> known;
  for (const PairProbe& probe : merged.pairs) {
    known.insert(probe.ranks);
  }
  std::ranges::copy_if(std::move(more.pairs), std::back_inserter(merged.pairs),
                       [&](const PairProbe& probe) { return known.insert(probe.ranks).second; });
}

/// What the merging of other hosts leaves out, and leaves unknown.
void tell_of_union(const SampleSet& merged, const std::string& name, std::size_t dropped, bool has_common,
                   std::vector<std::string>& remarks) {
  if (dropped > 0) {
    remarks.push_back(
        fmt::format("left out {} experiments of all ranks of {}, which are not the first of the {} ranks "
                    "of all campaigns",
                    dropped, name, merged.ranks.size()));
  }
  if (!has_common) {
    remarks.push_back(
        fmt::format("{} has no experiment in common with the campaigns before it: nothing tells whether "
                    "the machine was as fast, nor how fast their hosts are together",
                    name));
  }
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

SampleSet merge_samples(std::vector<SampleSet> campaigns, const std::vector<std::string>& names) {
  SampleSet merged = std::move(campaigns.front());
  std::map<Experiment, std::size_t> index_of;
  for (std::size_t i = 0; i < merged.measurements.size(); ++i) {
    index_of.emplace(merged.measurements[i].experiment, i);
  }
  for (std::size_t i = 1; i < campaigns.size(); ++i) {
    check_same_kind(merged, campaigns[i]);
    const std::string name = name_of_campaign(names, i);
    const bool is_union = is_elsewhere(merged, campaigns[i]);
    const std::size_t dropped = is_union ? unite_ranks(merged, campaigns[i], name) : 0;
    Comparison comparison;
    for (Measurement& m : campaigns[i].measurements) {
      const auto [known, is_new] = index_of.emplace(m.experiment, merged.measurements.size());
      if (is_new) {
        merged.measurements.push_back(std::move(m));
      } else {
        comparison.add(merged.measurements[known->second], m, merged.settings.precision);
        append(merged.measurements[known->second], std::move(m), merged.settings, merged.clock_tick);
      }
    }
    if (const auto contradiction = comparison.contradiction(name)) {
      merged.remarks.push_back("warning: " + *contradiction);
    }
    if (is_union) {
      tell_of_union(merged, name, dropped, comparison.has_common(), merged.remarks);
    }
    for (Control& control : campaigns[i].controls) {
      merged.controls.push_back(std::move(control));
    }
    std::ranges::move(campaigns[i].left_out, std::back_inserter(merged.left_out));
    add_pair_probes(merged.pair_probes, std::move(campaigns[i].pair_probes));
    merged.probes.clear();  // passes have other numbers now
    merged.interrupted = merged.interrupted || campaigns[i].interrupted;
    merged.duration += campaigns[i].duration;
    merged.clock_error = std::max(merged.clock_error, campaigns[i].clock_error);
    merged.experiments = merged.measurements.size();
  }
  if (campaigns.size() > 1) {
    summarise_in_one_state(merged.measurements, merged.settings, merged.clock_tick);
  }
  // What one campaign had no time for may be in another.
  std::erase_if(merged.left_out, [&](const Experiment& experiment) { return index_of.contains(experiment); });
  return merged;
}

}  // namespace postage
