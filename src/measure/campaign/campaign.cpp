#include "measure/campaign/control_points.hpp"
#include "measure/campaign/disturbance.hpp"
#include "measure/campaign/gathering.hpp"
#include "measure/campaign/probing.hpp"
#include "measure/campaign/time_shares.hpp"
#include "measure/messages.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/campaign.hpp>
#include <postage/measure/held_out_draw.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

std::string timing_of_groups(const Transport& transport, TimingMethod timing) {
  if (timing != TimingMethod::kClocks) {
    return std::string(name_of(timing));
  }
  return transport.has_global_clock() ? "global-clock" : "synchronised-clocks";
}

std::vector<double> experiments_of_sets(const std::vector<CampaignStage>& stages) {
  std::vector<double> counts;
  for (const CampaignStage& stage : stages) {
    counts.insert(counts.end(), stage.sets.size(), static_cast<double>(stage.experiments()));
  }
  return counts;
}

/// The plan with its held-out collectives: their stage gets a share of the time as the others do, by the number of its
/// experiments.
CampaignPlan with_held_out(CampaignPlan plan, const Transport& transport, const RankPlacements& placements,
                           const MeasureSettings& settings) {
  if (plan.held_out > 0) {
    const std::optional<Representatives> everyone;
    const std::vector<double> others = experiments_of_sets(
        stages_of(plan, {placements, everyone}, settings, timing_of_groups(transport, settings.timing)));
    const double all = std::accumulate(others.begin(), others.end(), 0.0);
    const auto most = static_cast<std::size_t>(kHeldOutShare / (1 - kHeldOutShare) * all);
    plan.drawn =
        draw_held_out(placements.count(), {.count = others.empty() ? plan.held_out : std::min(plan.held_out, most),
                                           .seed = plan.held_out_seed,
                                           .limits = plan.held_out_limits,
                                           .is_virtual = transport.is_virtual()});
  }
  return plan;
}

/// The pairs that the plan names; nothing where it names none. Throws UsageError for ranks that there are not.
std::optional<Representatives> given_representatives(const CampaignPlan& plan, const RankPlacements& placements) {
  if (plan.pairs.empty()) {
    return std::nullopt;
  }
  Representatives given{.pairs = plan.pairs};
  for (const auto& [first, second] : plan.pairs) {
    if (second >= placements.count()) {
      throw UsageError(fmt::format("--pairs {}-{}: ranks are 0 to {}", first, second, placements.count() - 1));
    }
    given.ranks.insert(given.ranks.end(), {first, second});
  }
  std::sort(given.ranks.begin(), given.ranks.end());
  given.ranks.erase(std::unique(given.ranks.begin(), given.ranks.end()), given.ranks.end());
  return given;
}

/// One rank's part in the stages.
class Campaign {
 public:
  Campaign(Transport& transport, RankPlacements placements, const CampaignPlan& plan, const MeasureSettings& settings,
           const CampaignHooks& hooks)
      : transport_(transport),
        settings_(settings),
        hooks_(hooks),
        placements_(std::move(placements)),
        clock_(transport),
        context_{transport, clock_, settings.timing},
        tick_(clock_tick(transport)),
        begin_(transport.now()),
        probed_(plan.pairs.empty() && asks_for_pairs(plan) ? probe_ranks(context_, placements_, settings)
                                                           : std::nullopt),
        chosen_(probed_ ? std::optional(probed_->representatives) : given_representatives(plan, placements_)),
        stages_(stages_of(plan, {placements_, chosen_}, settings, timing_of_groups(transport, settings.timing))),
        points_(context_, plan, placements_, settings),
        shares_(experiments_of_sets(stages_), settings, begin_),
        stores_(shares_.sets()) {}

  void run() {
    points_.measure_before();
    for (int pass = 0; !stopped_ && !out_of_time_ && (pass < settings_.passes || needs_more()); ++pass) {
      run_pass(pass);
    }
    if (!stopped_) {
      points_.measure_after();
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
                      .concurrent_sets = shares_.sets(),
                      .nodes = placements_.nodes,
                      .ranks = placements_.ranks};
    samples.measurements = gather_measurements(transport_, own_measurements());
    samples.experiments = samples.measurements.size();
    samples.controls = gather_controls(transport_, points_.controls(tick_));
    samples.probes = points_.by_passes(gather_measurements(transport_, points_.probes(tick_)));
    samples.left_out = gather_experiments(transport_, own_left_out());
    samples.unmade = stopped_ ? std::vector<std::string>{} : unmade();
    if (probed_) {
      samples.pair_probes = probed_->probes;
    }
    return samples;
  }

 private:
  /// Makes every set that is needed; in the passes after those that must be, only those that are not precise.
  void run_pass(int pass) {
    std::size_t set = 0;
    points_.begin_pass();
    for (const CampaignStage& stage : stages_) {
      if (stage.starts_together && settings_.timing == TimingMethod::kClocks) {
        clock_.synchronise();
      }
      points_.probe();
      for (const ConcurrentSet& groups : stage.sets) {
        if (shares_.needed()[set] != 0) {
          const Seconds now = transport_.now();
          run_slot(context_, stage, groups, stores_[set],
                   {settings_, shares_.of_slot(pass, set, now), shares_.of_pass(set, now), shares_.end(),
                    static_cast<std::size_t>(pass), stop_hook()});
          if (is_over(pass, set)) {
            return;
          }
        }
        ++set;
      }
    }
    points_.probe();
  }

  /// All ranks wait for one another after each set and hear whether to go on: no longer than the budget after the first
  /// pass.
  bool is_over(int pass, std::size_t set) {
    const bool is_first = transport_.rank() == 0;
    const bool may_end = pass > 0 || set + 1 == shares_.sets();
    const bool late = (may_end && is_budget_spent()) || is_limit_near();
    std::array<std::int32_t, 3> flags{is_first && stop_requested() ? 1 : 0, is_first && late ? 1 : 0,
                                      is_first && is_worth_keeping() ? 1 : 0};
    agree_on_largest(transport_, flags);
    stopped_ = flags[0] != 0;
    out_of_time_ = flags[1] != 0;
    sets_made_ = std::max(sets_made_, set + 1);
    if (flags[2] != 0) {
      keep_so_far();
    }
    if (is_first && hooks_.progress) {
      hooks_.progress(shares_.progress(pass, set, transport_.now()));
    }
    return stopped_ || out_of_time_;
  }

  /// On rank 0, now and then.
  [[nodiscard]] bool is_worth_keeping() const {
    constexpr Seconds kEvery = 3;
    return hooks_.keep && !transport_.is_virtual() && transport_.now() - kept_at_ > kEvery;
  }

  void keep_so_far() {
    const SampleSet samples = result();
    if (transport_.rank() == 0) {
      hooks_.keep(samples);
    }
    kept_at_ = transport_.now();
  }

  /// Writing what was measured takes a moment, too.
  [[nodiscard]] bool is_limit_near() const {
    constexpr double kOfTheLimit = 0.95;
    return settings_.time_limit > 0 && transport_.now() - begin_ >= kOfTheLimit * settings_.time_limit;
  }
  [[nodiscard]] bool is_budget_spent() const { return transport_.now() - begin_ >= settings_.budget; }

  /// Marks the sets that hold something imprecise; false where there are none, or no time.
  bool needs_more() {
    std::vector<std::int32_t>& needed = shares_.needed();
    std::transform(stores_.begin(), stores_.end(), needed.begin(),
                   [&](const SeriesStore& store) { return store.needs_more(settings_) ? 1 : 0; });
    agree_on_largest(transport_, needed);
    std::array<std::int32_t, 1> late{transport_.rank() == 0 && is_budget_spent() ? 1 : 0};
    agree_on_largest(transport_, late);
    return late[0] == 0 && std::any_of(needed.begin(), needed.end(), [](int set) { return set != 0; });
  }

  /// Of the sets that no pass came to.
  [[nodiscard]] std::vector<std::string> unmade() const {
    std::vector<std::string> all;
    std::size_t first = 0;
    for (const CampaignStage& stage : stages_) {
      const std::size_t end = first + stage.sets.size();
      std::size_t groups = 0;
      for (std::size_t set = std::max(first, sets_made_); set < end; ++set) {
        groups += stage.sets[set - first].size();
      }
      if (groups > 0) {
        all.push_back(fmt::format("{} of {} groups of ranks", kinds_of(stage), groups));
      }
      first = end;
    }
    return all;
  }

  [[nodiscard]] bool stop_requested() const { return hooks_.stop_requested && hooks_.stop_requested(); }
  /// Rank 0 can cut its own slots short.
  [[nodiscard]] std::function<bool()> stop_hook() const {
    return transport_.rank() == 0 ? hooks_.stop_requested : std::function<bool()>{};
  }

  [[nodiscard]] std::vector<Measurement> own_measurements() const {
    std::vector<Measurement> own;
    for (const SeriesStore& store : stores_) {
      std::ranges::move(store.measurements(settings_, tick_), std::back_inserter(own));
    }
    return own;
  }

  [[nodiscard]] std::vector<Experiment> own_left_out() const {
    std::vector<Experiment> own;
    for (const SeriesStore& store : stores_) {
      std::ranges::move(store.experiments_left_out(), std::back_inserter(own));
    }
    return own;
  }

  Seconds largest_clock_error() {
    constexpr double most = 2e9;  // nanoseconds
    std::array<std::int32_t, 1> error{static_cast<std::int32_t>(std::min(std::ceil(clock_.error() * 1e9), most))};
    agree_on_largest(transport_, error);
    return 1e-9 * error[0];
  }

  Transport& transport_;
  const MeasureSettings& settings_;
  const CampaignHooks& hooks_;
  RankPlacements placements_;
  SynchronisedClock clock_;
  TaskContext context_;
  Seconds tick_;
  Seconds begin_;
  std::optional<ProbedRanks> probed_;
  std::optional<Representatives> chosen_;
  std::vector<CampaignStage> stages_;
  ControlPoints points_;
  TimeShares shares_;
  std::vector<SeriesStore> stores_;  ///< of all stages' sets in order; this rank's where it leads
  Seconds duration_ = 0;
  bool stopped_ = false;
  bool out_of_time_ = false;
  Seconds kept_at_ = transport_.now();
  std::size_t sets_made_ = 0;  ///< in the first pass
};

}  // namespace

SampleSet run_campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings,
                       const CampaignHooks& hooks) {
  MeasureSettings chosen = transport.is_virtual() ? for_simulation(settings) : settings;
  const RankPlacements placements = find_placements(transport);
  chosen.serial = chosen.serial || do_pairs_disturb(transport, placements);
  const CampaignPlan whole = with_held_out(plan, transport, placements, chosen);
  Campaign campaign(transport, placements, whole, chosen, hooks);
  campaign.run();
  return campaign.result();
}

}  // namespace postage
