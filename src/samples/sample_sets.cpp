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

/// Probes further apart than this saw the machine in different states; or than a power of it, where it is never so
/// still for long.
constexpr double kSameState = 1.1;
/// Passes in one state that are enough to tell of it, as a share of all.
constexpr double kEnoughPasses = 0.25;

bool is_within(double value, double undisturbed, double factor) {
  return value < factor * undisturbed && undisturbed < factor * value;
}

bool is_at(const std::vector<double>& probes, double undisturbed, double factor) {
  return std::all_of(probes.begin(), probes.end(), [&](double probe) { return is_within(probe, undisturbed, factor); });
}

/// Whether a pass's probes are all within the factor of those of one moment of a pass.
bool is_at(const SampleSet& samples, std::size_t pass, std::size_t of, std::size_t moment, double factor) {
  return !samples.probes.front()[pass].empty() &&
         std::all_of(samples.probes.begin(), samples.probes.end(),
                     [&](const auto& point) { return is_at(point[pass], point[of][moment], factor); });
}

/// The passes whose probes are all within the factor of those of one moment, of the moment that most are.
std::vector<bool> passes_in_one_state(const SampleSet& samples, double factor) {
  const std::vector<std::vector<double>>& passes = samples.probes.front();
  std::vector<bool> best(passes.size());
  std::ptrdiff_t most = 0;
  for (std::size_t pass = 0; pass < passes.size(); ++pass) {
    for (std::size_t moment = 0; moment < passes[pass].size(); ++moment) {
      std::vector<bool> at(passes.size());
      for (std::size_t i = 0; i < passes.size(); ++i) {
        at[i] = is_at(samples, i, pass, moment, factor);
      }
      const auto count = std::count(at.begin(), at.end(), true);
      if (count > most) {
        most = count;
        best = std::move(at);
      }
    }
  }
  return best;
}

/// What fixed work took the processors of most slots, within kSameState; 0 where that is not known. O(n log n) for n
/// slots.
double undisturbed_processor_time(const SampleSet& samples) {
  std::vector<double> times;
  for (const Measurement& m : samples.measurements) {
    std::copy_if(m.processors.begin(), m.processors.end(), std::back_inserter(times), [](double t) { return t > 0; });
  }
  std::sort(times.begin(), times.end());
  double undisturbed = 0;
  std::size_t most = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (const double time : times) {
    while (times[begin] * kSameState <= time) {
      ++begin;
    }
    while (end < times.size() && times[end] < kSameState * time) {
      ++end;
    }
    if (end - begin > most) {
      most = end - begin;
      undisturbed = time;
    }
  }
  return undisturbed;
}

/// Keeps those slots in which the processors were as fast as undisturbed, if they are enough.
void keep_undisturbed_slots(Measurement& m, double undisturbed) {
  const auto is_undisturbed = [&](std::size_t pass) { return is_within(m.processors[pass], undisturbed, kSameState); };
  std::size_t slots = 0;
  std::size_t kept = 0;
  for (std::size_t pass = 0; pass < m.processors.size(); ++pass) {
    slots += m.passes[pass].empty() ? 0 : 1;
    kept += !m.passes[pass].empty() && is_undisturbed(pass) ? 1 : 0;
  }
  if (static_cast<double>(kept) < kEnoughPasses * static_cast<double>(slots)) {
    return;
  }
  for (std::size_t pass = 0; pass < m.processors.size(); ++pass) {
    if (!is_undisturbed(pass)) {
      m.passes[pass].clear();
    }
  }
}

/// Counts what is remarkable about measurements.
class Tally {
 public:
  Tally(std::size_t measurements, std::vector<std::string>& remarks) : of_(measurements), remarks_(remarks) {}

  void add(const Measurement& m) {
    imprecise_ += m.precise ? 0 : 1;
    unsteady_ += m.summary.steady ? 0 : 1;
    repetitions_ += m.summary.count;
    outliers_ += m.summary.outliers;
    late_ += m.late;
    if (!m.summary.modes.empty()) {
      first_bimodal_ = bimodal_ == 0 ? &m : first_bimodal_;
      ++bimodal_;
    }
  }

  void tell() const {
    if (bimodal_ > 0) {
      const std::vector<Mode>& modes = first_bimodal_->summary.modes;
      tell(fmt::format("{} of {} times jump between two values, like {} of {}: {}, and {} in {:.0f} %", bimodal_, of_,
                       describe(first_bimodal_->experiment), format_bytes(first_bimodal_->experiment.bytes),
                       format_seconds(modes[0].centre), format_seconds(modes[1].centre), 100 * modes[1].share));
    }
    if (unsteady_ > 0) {
      tell(fmt::format("{} of {} times differ from pass to pass by more than chance; their intervals span the passes",
                       unsteady_, of_));
    }
    if (imprecise_ > 0) {
      tell(fmt::format("{} of {} times did not reach the precision asked for within the budget", imprecise_, of_));
    }
    if (outliers_ > 0) {
      tell(fmt::format("{} of {} repetitions are outliers; medians do not feel them", outliers_, repetitions_));
    }
    if (late_ > 0) {
      tell(fmt::format("{} repetitions were left out since some rank was not ready for their start", late_));
    }
  }

 private:
  void tell(std::string remark) const { remarks_.push_back(std::move(remark)); }

  std::size_t of_;
  std::vector<std::string>& remarks_;
  std::size_t imprecise_ = 0;
  std::size_t unsteady_ = 0;
  std::size_t bimodal_ = 0;
  std::size_t repetitions_ = 0;
  std::size_t outliers_ = 0;
  std::size_t late_ = 0;
  const Measurement* first_bimodal_ = nullptr;
};

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

bool has_changed(const Summary& before, const Summary& after, double precision) {
  const bool apart = before.median_interval.upper < after.median_interval.lower ||
                     after.median_interval.upper < before.median_interval.lower;
  return apart && std::abs(after.median / before.median - 1) > 2 * precision;
}

std::vector<bool> undisturbed_passes(const SampleSet& samples) {
  if (samples.probes.empty()) {
    return {};
  }
  const auto probed = std::count_if(samples.probes.front().begin(), samples.probes.front().end(),
                                    [](const std::vector<double>& pass) { return !pass.empty(); });
  std::vector<bool> undisturbed;
  std::ptrdiff_t count = 0;
  for (double factor = kSameState; static_cast<double>(count) < kEnoughPasses * static_cast<double>(probed);
       factor *= kSameState) {
    undisturbed = passes_in_one_state(samples, factor);
    count = std::count(undisturbed.begin(), undisturbed.end(), true);
  }
  return undisturbed;
}

SampleSet keep_undisturbed(SampleSet samples) {
  const std::vector<bool> undisturbed = undisturbed_passes(samples);
  const bool has_values = !undisturbed.empty() && std::all_of(samples.measurements.begin(), samples.measurements.end(),
                                                              [](const Measurement& m) { return !m.passes.empty(); });
  if (!has_values) {
    return samples;
  }
  const double processor_time = undisturbed_processor_time(samples);
  for (Measurement& m : samples.measurements) {
    for (std::size_t pass = 0; pass < m.passes.size(); ++pass) {
      if (pass >= undisturbed.size() || !undisturbed[pass]) {
        m.passes[pass].clear();
      }
    }
    keep_undisturbed_slots(m, processor_time);
    m.summary = summarise(m.passes, samples.settings.confidence, resolution_of(m, samples.clock_tick));
    m.precise = m.summary.median_interval.relative_half_width(m.summary.median) <= samples.settings.precision;
  }
  std::erase_if(samples.measurements, [](const Measurement& m) { return m.summary.count == 0; });
  return samples;
}

std::vector<std::string> drift_warnings(const SampleSet& samples) {
  std::vector<std::string> warnings;
  for (const Control& control : samples.controls) {
    if (has_changed(control.before, control.after, samples.settings.precision)) {
      warnings.push_back(
          fmt::format("the machine's speed changed by {:+.0f} % while it was measured ({} of {}: {} at the beginning, "
                      "{} at the end)",
                      100 * (control.after.median / control.before.median - 1), describe(control.experiment),
                      format_bytes(control.experiment.bytes), format_seconds(control.before.median),
                      format_seconds(control.after.median)));
    }
  }
  return warnings;
}

std::vector<std::string> remarks_on(const SampleSet& samples) {
  std::vector<std::string> remarks;
  for (const std::string& warning : drift_warnings(samples)) {
    remarks.push_back("warning: " + warning + "; measure again, or trust nothing closer than that");
  }
  Tally tally(samples.measurements.size(), remarks);
  for (const Measurement& m : samples.measurements) {
    tally.add(m);
  }
  tally.tell();
  if (!samples.left_out.empty()) {
    const Experiment& first = samples.left_out.front();
    remarks.push_back(fmt::format(
        "left out {} experiments whose messages take too long for a budget of {}, like {} of {}: give a "
        "longer --budget",
        samples.left_out.size(), format_seconds(samples.settings.budget), describe(first), format_bytes(first.bytes)));
  }
  if (samples.clock_error > 0) {
    remarks.push_back(fmt::format("hosts have clocks of their own; after synchronising they agree to {} or better",
                                  format_seconds(samples.clock_error)));
  }
  return remarks;
}

SampleSet merge_samples(std::vector<SampleSet> campaigns) {
  SampleSet merged = std::move(campaigns.front());
  std::map<Experiment, std::size_t> places;
  for (std::size_t i = 0; i < merged.measurements.size(); ++i) {
    places.emplace(merged.measurements[i].experiment, i);
  }
  for (std::size_t i = 1; i < campaigns.size(); ++i) {
    check_same_machine(merged, campaigns[i]);
    for (Measurement& m : campaigns[i].measurements) {
      const auto [place, is_new] = places.emplace(m.experiment, merged.measurements.size());
      if (is_new) {
        merged.measurements.push_back(std::move(m));
      } else {
        append(merged.measurements[place->second], std::move(m), merged.settings, merged.clock_tick);
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
  std::erase_if(merged.left_out, [&](const Experiment& experiment) { return places.contains(experiment); });
  return merged;
}

}  // namespace postage
