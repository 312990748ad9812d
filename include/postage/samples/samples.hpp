#pragma once

#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/platform/platform.hpp>
#include <postage/samples/experiment.hpp>
#include <postage/samples/pair_structure.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// One experiment, repeated.
struct Measurement {
  Experiment experiment;
  Summary summary;       ///< seconds
  bool precise = false;  ///< the interval met the precision asked for before the budget ended
  /// Repetitions in one sample, whose time is divided by their number.
  int inner = 1;
  /// Repetitions that do not count, since some rank was not ready when the others started.
  std::size_t late = 0;
  /// Every repetition's time in order, by the passes of the campaign; empty unless they were asked for.
  std::vector<std::vector<double>> passes{};
  /// What fixed work took the participants' processors in each pass (mean over them, the slowest moment of its sampling
  /// slot); 0 where it was not sampled. Empty in simulations, and where `passes` is.
  std::vector<double> processors{};
  /// What a message of 8 bytes took between the first two participants in each pass (the slowest moment of its sampling
  /// slot); 0 where it was not sampled. Only where all participants are on one host, and every rank has a core of its
  /// own; not in simulations.
  std::vector<double> links{};
};

/// How measurements were made.
struct MeasureSettings {
  double precision = 0.025;  ///< half width of the interval over the median
  double confidence = 0.95;
  /// For the whole campaign; each experiment is made once even if that takes longer, as far as it is not left out.
  Seconds budget = 30;
  /// After so many seconds nothing more is started, also of what was never made; 0 for no limit.
  Seconds time_limit = 0;
  int warm_up = 5;             ///< unrecorded repetitions of each experiment, fewer where the budget is short
  int least_repetitions = 18;  ///< of each experiment, where the budget is long enough
  int most_repetitions = 5000;
  /// How often the campaign samples each experiment, spread over its time, so that one bad moment of the machine does
  /// not spoil all repetitions of one. Six are enough for a 95 % interval of what differs between passes.
  int passes = 6;
  bool serial = false;  ///< one experiment at a time, even where hosts differ
  int triplets = 10;    ///< fewest one-to-two experiments of which each rank that makes some is the source
  /// Measure all pairs of ranks, as well as those that are like others.
  bool all_pairs = false;
  TimingMethod timing = TimingMethod::kClocks;
  bool keep_values = false;
  bool operator==(const MeasureSettings&) const = default;
};

/// The same experiment at the beginning and at the end of a campaign.
struct Control {
  Experiment experiment;
  Summary before;
  Summary after;
};

/// Everything that one campaign saw: the file between measuring and estimating.
struct SampleSet {
  std::string implementation;
  bool is_virtual = false;
  std::string created{};
  MeasureSettings settings{};
  /// Why the job ended before the campaign did, as where a host vanished; empty where it did not.
  std::string ended_early{};
  /// What the time limit left unmade: how many groups' experiments of which kinds.
  std::vector<std::string> unmade{};
  /// The campaign was stopped before it had made all that was planned.
  bool interrupted = false;
  /// Passes that were left out, since the machine was in another state than in most, and those made in their place.
  std::size_t disturbed_passes = 0;
  std::size_t repeated_passes = 0;
  /// How far the ranks' clocks may be apart after they were synchronised; 0 where they have one clock.
  Seconds clock_error = 0;
  /// Smallest difference between two readings of the clock; 0 in simulations.
  Seconds clock_tick = 0;
  Seconds duration = 0;  ///< from the beginning of the first experiment to the end of the last
  /// Sets of experiments that ran at the same time in one pass, and experiments in them.
  std::size_t concurrent_sets = 0;
  std::size_t experiments = 0;
  /// The hosts, in order of their first rank, with the topology that a rank on each of them saw (under a simulator: as
  /// many cores as ranks, in one socket).
  std::vector<Node> nodes{};
  std::vector<RankPlacement> ranks{};
  std::vector<Measurement> measurements{};
  std::vector<Control> controls{};
  /// Times of the first two control points between the stages of each pass, [control point][pass][moment], positive,
  /// with as many moments of each pass for both; empty in simulations.
  std::vector<std::vector<std::vector<double>>> probes{};
  /// Roundtrips that tell which pairs of ranks are alike; none where all pairs were measured.
  PairProbes pair_probes{};
  /// Experiments of the plan whose messages take too long for the budget: none of them was made.
  std::vector<Experiment> left_out{};
  /// Of shared memory, where that is what was measured.
  std::vector<MeasuredThresholds> shm_protocols{};
  /// Of merging campaigns, a sentence each; in no file.
  std::vector<std::string> remarks{};
  /// Of the platform that is estimated from the samples; empty where none was given.
  std::string name{};
};

inline constexpr int kSamplesVersion = 3;
inline constexpr const char* kSamplesFormat = "postage-samples";

[[nodiscard]] Json to_json(const SampleSet& samples);
/// Throws Error naming `source` and the first field that is missing or wrong.
[[nodiscard]] SampleSet samples_from_json(const Json& value, const std::filesystem::path& source);

/// What one tick of the clock makes in the measurement's values.
[[nodiscard]] Seconds resolution_of(const Measurement& measurement, Seconds clock_tick);

/// Channel between two rank placements.
[[nodiscard]] const char* channel_of(std::span<const Node> nodes, const RankPlacement& from, const RankPlacement& to);

/// True where two measurements of the same thing differ by more than their noise: their intervals do not overlap, and
/// their medians differ by more than twice the precision asked for.
[[nodiscard]] bool has_changed(const Summary& before, const Summary& after, double precision);

/// For each pass, whether the machine was as it was in most of them: all probes, of each control point, are within a
/// tenth of those of one moment, of the moment for which this is true of most passes; where it is not true of a quarter
/// of the passes, within a larger share. Empty where there are no probes. O(probes^2) for each share that is tried.
[[nodiscard]] std::vector<bool> undisturbed_passes(const SampleSet& samples);

/// The campaign as if it had been made only in the undisturbed passes, and in those of their sampling slots in which
/// processors were as fast as in most (within a tenth, by Measurement::processors): moments in which another machine's
/// work moves or slows processors then have no part in any time. Of an experiment of which these are less than a
/// quarter of the slots all are kept. Experiments with links are as in_one_state. As it is where there are no probes or
/// no kept values. Experiments without a value in the undisturbed passes are dropped. O(n log n) for n slots, beside
/// undisturbed_passes.
[[nodiscard]] SampleSet keep_undisturbed(SampleSet samples);

/// One sentence for each control point whose time changed by more than its noise.
[[nodiscard]] std::vector<std::string> drift_warnings(const SampleSet& samples);

/// The largest change of a control point's time by more than its noise, as a share of the time at the beginning; 0
/// where none changed.
[[nodiscard]] double speed_change(const SampleSet& samples);

/// What one should know before trusting the samples, a sentence each: drift_warnings, how many times jump between two
/// values, are imprecise or differ from pass to pass, how many repetitions are outliers or were left out, which
/// experiments the budget was too short for, and that ranks had clocks of their own.
[[nodiscard]] std::vector<std::string> remarks_on(const SampleSet& samples);

/// Several campaigns as one: passes of the same experiment follow one another. Of other hosts, or other ranks on them,
/// as if one campaign had had all of them: hosts are the same by their names, ranks by host and core; experiments of
/// all ranks stay only where these are the first ones. `remarks` then say what was left out, and which campaign
/// contradicts those before it: where more common times than chance explains have changed. `names` are those of the
/// campaigns there. Throws Error naming what differs where implementations do, or the cores of a host. Requires at
/// least one.
[[nodiscard]] SampleSet merge_samples(std::vector<SampleSet> campaigns, const std::vector<std::string>& names = {});

}  // namespace postage
