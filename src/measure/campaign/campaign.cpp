#include "measure/campaign/gathering.hpp"
#include "measure/campaign/sampling_slot.hpp"
#include "measure/messages.hpp"

#include <postage/measure/campaign.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace postage {
namespace {

/// A simulated clock does not drift, and repeats what it told before.
MeasureSettings for_simulation(MeasureSettings settings) {
  settings.passes = 1;
  settings.warm_up = 0;
  settings.least_repetitions = std::min(settings.least_repetitions, 2);
  return settings;
}

/// Repetitions of a control point: enough for a narrow interval where the machine is quiet.
MeasureSettings for_control(MeasureSettings settings) {
  settings.passes = 1;
  settings.least_repetitions = std::max(settings.least_repetitions, 40);
  return settings;
}

/// Between any two stages: some milliseconds in each pass.
MeasureSettings for_probe(MeasureSettings settings) {
  settings.passes = 1;
  settings.least_repetitions = 10;
  settings.most_repetitions = std::numeric_limits<int>::max();
  settings.keep_values = true;
  return settings;
}

constexpr Seconds kProbeTime = 1e-3;

/// One rank's way through the stages.
class Campaign {
 public:
  Campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings, const CampaignHooks& hooks)
      : transport_(transport),
        settings_(settings),
        probe_settings_(for_probe(settings)),
        hooks_(hooks),
        placements_(find_placements(transport)),
        clock_(transport),
        context_{transport, clock_, settings.timing},
        tick_(clock_tick(transport)) {
    const bool clocks = settings.timing == TimingMethod::kClocks;
    const std::string method(!clocks                        ? name_of(settings.timing)
                             : transport.has_global_clock() ? "global-clock"
                                                            : "synchronised-clocks");
    stages_ = stages_of(plan, placements_, settings, method);
    for (const CampaignStage& stage : stages_) {
      weights_.insert(weights_.end(), stage.sets.size(), static_cast<double>(stage.experiments()));
    }
    sets_ = weights_.size();
    stores_.resize(sets_);
    needed_.assign(sets_, 1);
    if (!transport.is_virtual() && !plan.control_sizes.empty()) {
      control_ = control_stage(plan, placements_);
      probe_ = control_;
      probe_.shapes.resize(std::min<std::size_t>(probe_.shapes.size(), 2));
    }
    begin_ = transport.now();
  }

  void run() {
    control(before_);
    for (int pass = 0; !stopped_ && !out_of_time_ && (pass < settings_.passes || needs_more()); ++pass) {
      run_pass(pass);
    }
    if (!stopped_) {
      control(after_);
    }
    duration_ = transport_.now() - begin_;
  }

  SampleSet result() {
    SampleSet samples{.implementation = transport_.implementation(),
                      .is_virtual = transport_.is_virtual(),
                      .created = transport_.is_virtual() ? "" : utc_now(),
                      .settings = settings_,
                      .interrupted = stopped_,
                      .clock_error = largest_clock_error(),
                      .clock_tick = tick_,
                      .duration = duration_,
                      .concurrent_sets = sets_,
                      .nodes = placements_.nodes,
                      .ranks = placements_.ranks};
    samples.measurements = gather_measurements(transport_, own_measurements());
    samples.experiments = samples.measurements.size();
    samples.controls = gather_controls(transport_, own_controls());
    samples.probes = by_passes(gather_measurements(transport_, own_probes()));
    samples.left_out = gather_experiments(transport_, own_left_out());
    return samples;
  }

 private:
  /// Samples every set that is needed; in the passes after those that must be, only those that are not precise.
  void run_pass(int pass) {
    std::size_t set = 0;
    probes_.emplace_back(0);
    for (const CampaignStage& stage : stages_) {
      if (stage.has_groups() && settings_.timing == TimingMethod::kClocks) {
        clock_.synchronise();
      }
      probe();
      for (const ConcurrentSet& groups : stage.sets) {
        if (needed_[set] != 0) {
          run_slot(stage, groups, stores_[set],
                   {settings_, share_of_slot(pass, set), share_of_pass(set), begin_ + settings_.budget,
                    static_cast<std::size_t>(pass), stop_hook()});
          if (is_over(pass, set)) {
            return;
          }
        }
        ++set;
      }
    }
    probe();
  }

  /// How fast the machine is at this moment.
  void probe() {
    for (const ConcurrentSet& set : probe_.sets) {
      run_slot(probe_, set, probed_,
               {probe_settings_, kProbeTime, kProbeTime, std::numeric_limits<double>::infinity(), probes_made_});
    }
    ++probes_made_;
    ++probes_.back();
  }

  /// The time that is left is shared equally among the experiments that are.
  [[nodiscard]] Seconds share_of_slot(int pass, std::size_t set) const {
    const Seconds left = budget_left();
    const double in_pass = weight_from(set);
    if (pass < settings_.passes) {
      const double later = total_weight() * (settings_.passes - pass - 1);
      return left * weights_[set] / (in_pass + later);
    }
    // Further passes are as long as the earlier ones could be, so that there are several of them.
    return std::min(left, settings_.budget / settings_.passes) * weights_[set] / in_pass;
  }

  /// Were this pass the last one.
  [[nodiscard]] Seconds share_of_pass(std::size_t set) const {
    return budget_left() * weights_[set] / weight_from(set);
  }

  [[nodiscard]] Seconds budget_left() const { return std::max(settings_.budget - (transport_.now() - begin_), 0.0); }

  /// Experiments that a pass still makes.
  [[nodiscard]] double weight_from(std::size_t set) const {
    double weight = 0;
    for (std::size_t i = set; i < sets_; ++i) {
      weight += weights_[i] * needed_[i];
    }
    return weight;
  }

  [[nodiscard]] double total_weight() const { return std::accumulate(weights_.begin(), weights_.end(), 0.0); }

  void run_slot(const CampaignStage& stage, const ConcurrentSet& set, SeriesStore& store, const SlotLimits& limits) {
    for (const RankGroup& group : set) {
      if (group.front() == transport_.rank()) {
        store.group = group;
        lead_slot(context_, stage, store, limits);
      } else if (std::find(group.begin(), group.end(), transport_.rank()) != group.end()) {
        follow_slot(context_, stage, group);
      }
    }
  }

  /// All ranks meet after each set and hear whether to go on: no longer than the budget after the first pass.
  bool is_over(int pass, std::size_t set) {
    const bool is_first = transport_.rank() == 0;
    const bool may_end = pass > 0 || set + 1 == sets_;
    const bool late = may_end && transport_.now() - begin_ >= settings_.budget;
    std::array<std::int32_t, 2> flags{is_first && stop_requested() ? 1 : 0, is_first && late ? 1 : 0};
    agree_on_largest(transport_, flags);
    stopped_ = flags[0] != 0;
    out_of_time_ = flags[1] != 0;
    if (is_first && hooks_.progress) {
      hooks_.progress(progress(pass, set));
    }
    return stopped_ || out_of_time_;
  }

  [[nodiscard]] CampaignProgress progress(int pass, std::size_t set) const {
    const auto end = weights_.begin() + static_cast<std::ptrdiff_t>(set + 1);
    const double in_pass = std::accumulate(weights_.begin(), end, 0.0) / total_weight();
    return {std::min((pass + in_pass) / settings_.passes, 1.0), pass >= settings_.passes, budget_left()};
  }

  /// Marks the sets that hold something imprecise; false where there are none, or no time.
  bool needs_more() {
    for (std::size_t set = 0; set < sets_; ++set) {
      needed_[set] = 0;
      for (const auto& [shape, series] : stores_[set].series) {
        const bool may_grow = static_cast<int>(series.count()) < settings_.most_repetitions;
        needed_[set] = needed_[set] != 0 || (may_grow && !series.precise(settings_)) ? 1 : 0;
      }
    }
    agree_on_largest(transport_, needed_);
    std::array<std::int32_t, 1> late{transport_.rank() == 0 && transport_.now() - begin_ >= settings_.budget ? 1 : 0};
    agree_on_largest(transport_, late);
    return late[0] == 0 && std::any_of(needed_.begin(), needed_.end(), [](int needed) { return needed != 0; });
  }

  void control(SeriesStore& store) {
    const MeasureSettings settings = for_control(settings_);
    for (const ConcurrentSet& set : control_.sets) {
      run_slot(control_, set, store, {settings, settings_.budget / 100, settings_.budget});
    }
    std::array<std::int32_t, 1> done{};
    agree_on_largest(transport_, done);
  }

  [[nodiscard]] bool stop_requested() const { return hooks_.stop_requested && hooks_.stop_requested(); }
  /// Rank 0 can cut its own slots short.
  [[nodiscard]] std::function<bool()> stop_hook() const {
    return transport_.rank() == 0 ? hooks_.stop_requested : std::function<bool()>{};
  }

  [[nodiscard]] std::vector<Measurement> own_measurements() const {
    std::vector<Measurement> own;
    for (const SeriesStore& store : stores_) {
      for (const auto& [shape, series] : store.series) {
        if (series.count() > 0) {
          own.push_back(series.measurement(settings_, tick_));
        }
      }
    }
    return own;
  }

  [[nodiscard]] std::vector<Experiment> own_left_out() const {
    std::vector<Experiment> own;
    for (const SeriesStore& store : stores_) {
      for (const Experiment& shape : store.left_out) {
        own.push_back(with_participants(shape, store.group));
      }
    }
    return own;
  }

  [[nodiscard]] std::vector<Control> own_controls() const {
    std::vector<Control> own;
    for (const auto& [shape, before] : before_.series) {
      if (const auto after = after_.series.find(shape); after != after_.series.end()) {
        own.push_back({before.experiment(), before.measurement(settings_, tick_).summary,
                       after->second.measurement(settings_, tick_).summary});
      }
    }
    return own;
  }

  [[nodiscard]] std::vector<Measurement> own_probes() const {
    std::vector<Measurement> own;
    for (const auto& [shape, series] : probed_.series) {
      own.push_back(series.measurement(probe_settings_, tick_));
    }
    return own;
  }

  /// Medians of the probes of each pass, of the moments at which all control points were measured.
  [[nodiscard]] std::vector<std::vector<std::vector<double>>> by_passes(const std::vector<Measurement>& probed) const {
    const auto is_complete = [&](std::size_t moment) {
      return std::all_of(probed.begin(), probed.end(), [&](const Measurement& point) {
        return moment < point.passes.size() && !point.passes[moment].empty();
      });
    };
    std::vector<std::vector<std::vector<double>>> probes(probed.size(),
                                                         std::vector<std::vector<double>>(probes_.size()));
    std::size_t moment = 0;
    for (std::size_t pass = 0; pass < probes_.size(); ++pass) {
      for (const std::size_t end = moment + probes_[pass]; moment < end; ++moment) {
        for (std::size_t point = 0; is_complete(moment) && point < probed.size(); ++point) {
          probes[point][pass].push_back(median(probed[point].passes[moment]));
        }
      }
    }
    return probes;
  }

  Seconds largest_clock_error() {
    constexpr double most = 2e9;  // nanoseconds
    std::array<std::int32_t, 1> error{static_cast<std::int32_t>(std::min(std::ceil(clock_.error() * 1e9), most))};
    agree_on_largest(transport_, error);
    return 1e-9 * error[0];
  }

  Transport& transport_;
  const MeasureSettings& settings_;
  MeasureSettings probe_settings_;
  const CampaignHooks& hooks_;
  RankPlacements placements_;
  SynchronisedClock clock_;
  TaskContext context_;
  Seconds tick_;
  std::vector<CampaignStage> stages_;
  CampaignStage control_;
  CampaignStage probe_;
  std::size_t sets_ = 0;
  std::vector<double> weights_;      ///< experiments of each set
  std::vector<SeriesStore> stores_;  ///< of all stages' sets in order; this rank's where it leads
  std::vector<std::int32_t> needed_;
  SeriesStore before_;
  SeriesStore after_;
  SeriesStore probed_;
  std::size_t probes_made_ = 0;
  std::vector<std::size_t> probes_;  ///< of each pass
  Seconds begin_ = 0;
  Seconds duration_ = 0;
  bool stopped_ = false;
  bool out_of_time_ = false;
};

}  // namespace

SampleSet run_campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings,
                       const CampaignHooks& hooks) {
  const MeasureSettings chosen = transport.is_virtual() ? for_simulation(settings) : settings;
  Campaign campaign(transport, plan, chosen, hooks);
  campaign.run();
  return campaign.result();
}

}  // namespace postage
