#include "measure/campaign/control_points.hpp"
#include "measure/campaign/disturbance.hpp"
#include "measure/campaign/gathering.hpp"
#include "measure/campaign/pass_guard.hpp"
#include "measure/campaign/preparation.hpp"
#include "measure/campaign/probing.hpp"
#include "measure/campaign/time_shares.hpp"
#include "measure/messages.hpp"

#include <postage/base/error.hpp>
#include <postage/base/pace.hpp>
#include <postage/measure/campaign.hpp>
#include <postage/measure/held_out_draw.hpp>
#include <postage/samples/one_state.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace postage {
namespace {

constexpr Seconds kKeepingEvery = 3;

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
        context_{transport, clock_, settings.timing,
                 placements_.share_cores() ? std::vector<int>() : placements_.host_of()},
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
    int required = settings_.passes;
    for (int pass = 0; !is_over() && (pass < required || needs_more()); ++pass) {
      run_pass(pass);
      required += pass + 1 == required && repeats_pass(required) ? 1 : 0;
    }
    if (!stopped_) {
      points_.measure_after();
    }
    duration_ = transport_.now() - begin_;
  }

  SampleSet result() { return result_of(in_one_state_of(own_measurements())); }

 private:
  SampleSet result_of(const std::vector<Measurement>& own) {
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
    samples.measurements = gather_measurements(transport_, own);
    samples.experiments = samples.measurements.size();
    samples.controls = gather_controls(transport_, points_.controls(tick_));
    samples.probes =
        guard_.without_disturbed(points_.by_passes(gather_measurements(transport_, points_.probes(tick_))));
    samples.disturbed_passes = guard_.disturbed_count();
    samples.repeated_passes = guard_.repeated_count();
    samples.left_out = gather_experiments(transport_, own_left_out());
    samples.unmade = stopped_ ? std::vector<std::string>{} : unmade();
    if (probed_) {
      samples.pair_probes = probed_->probes;
    }
    return samples;
  }

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
          if (ends_after(pass, set)) {
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
  bool ends_after(int pass, std::size_t set) {
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
    return is_over();
  }

  [[nodiscard]] bool is_over() const { return stopped_ || out_of_time_; }

  /// Leaves out the passes in which the machine was in another state; true where one is to be made in their place.
  bool repeats_pass(int made) {
    if (stopped_ || transport_.is_virtual()) {
      return false;
    }
    guard_.judge(points_.by_passes(gather_measurements(transport_, points_.probes(tick_))), transport_);
    std::array<std::int32_t, 1> is_last{transport_.rank() == 0 && is_limit_near() ? 1 : 0};
    agree_on_largest(transport_, is_last);
    if (guard_.wants_another() && is_last[0] == 0) {
      out_of_time_ = false;  // the budget was for the passes that are left out, too
      const Seconds now = transport_.now();
      shares_.last_until(now + (now - begin_) / made);
      return true;
    }
    for (SeriesStore& store : stores_) {
      store.leave_out(guard_.disturbed());
    }
    return false;
  }

  /// On rank 0, now and then.
  [[nodiscard]] bool is_worth_keeping() const {
    return hooks_.keep && !transport_.is_virtual() && keeping_.is_due(transport_.now());
  }

  void keep_so_far() {
    const Seconds begin = transport_.now();
    const SampleSet samples = result_of(own_measurements());
    if (transport_.rank() == 0) {
      hooks_.keep(samples);
    }
    keeping_.done(begin, transport_.now());
  }

  /// Writing what was measured takes a moment, too.
  [[nodiscard]] bool is_limit_near() const {
    constexpr double kOfTheLimit = 0.95;
    return settings_.time_limit > 0 && transport_.now() - begin_ >= kOfTheLimit * settings_.time_limit;
  }
  [[nodiscard]] bool is_budget_spent() const { return transport_.now() >= shares_.end(); }

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

  /// The same with summaries as of one state of the machine, for which all values are needed.
  [[nodiscard]] std::vector<Measurement> in_one_state_of(std::vector<Measurement> own) const {
    if (transport_.is_virtual()) {
      return own;
    }
    std::vector<Measurement> with_values;
    for (const SeriesStore& store : stores_) {
      std::ranges::move(store.values(), std::back_inserter(with_values));
    }
    const std::vector<Measurement> adjusted = in_one_state(std::move(with_values), settings_, tick_);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!own[i].links.empty()) {
        own[i].summary = adjusted[i].summary;
        own[i].precise = adjusted[i].precise;
      }
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
  PassGuard guard_{settings_.passes};
  std::vector<SeriesStore> stores_;  ///< of all stages' sets in order; this rank's where it leads
  Seconds duration_ = 0;
  bool stopped_ = false;
  bool out_of_time_ = false;
  Pace keeping_{transport_.now(), kKeepingEvery};
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
