#pragma once

#include <postage/measure/collective_run.hpp>
#include <postage/samples/samples.hpp>
#include <postage/transport/transport.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// What to measure. Sizes that several options lead to the same experiment are measured once.
struct CampaignPlan {
  /// Sizes by option, like {"--echo-sizes", {8, 1024}}: see plan_options. An option that is missing asks for nothing.
  std::map<std::string, std::vector<Bytes>, std::less<>> sizes{};
  std::vector<CollectiveRun> collectives{};
  /// So many more, drawn by chance from this seed (draw_held_out): no more than kHeldOutShare of the experiments,
  /// unless there are no others.
  std::size_t held_out = 0;
  std::uint64_t held_out_seed = 1;
  std::vector<Bytes> held_out_limits{};  ///< HeldOutDraw::limits
  std::vector<CollectiveRun> drawn{};    ///< once they are: contiguous, whatever --stride says
  /// Empty replies, overheads and trains at sizes that grow fourfold from 0 and 1 up to this one, and at more where
  /// they bend; 0 leaves them out.
  Bytes largest_adaptive = 0;
  /// Equal roundtrips between the first pair, before everything else and after it: has the machine changed?
  std::vector<Bytes> control_sizes{};
  /// Pairs of ranks, the lower one first, to measure instead of those that stand for others; empty for these.
  std::vector<RankPair> pairs{};
  /// Leave out what needs more ranks than there are, instead of refusing the plan.
  bool as_far_as_possible = false;

  /// Sizes given for the option; those of `standard` where it is missing.
  [[nodiscard]] std::vector<Bytes> sizes_of(std::string_view option, std::string_view standard = "none") const;
};

/// How far a campaign is.
struct CampaignProgress {
  double share = 0;        ///< of the passes that must be made, in [0, 1]
  bool repeating = false;  ///< they are made, and what is imprecise is repeated
  Seconds budget_left = 0;
};

/// Begins each line that says how far a measuring program is; CampaignProgress follows, as in "0.25 0 12.5".
inline constexpr const char* kProgressMark = "postage-progress: ";

/// What a measuring program appends to the name of its output until it has finished.
inline constexpr const char* kUnfinishedSuffix = ".unfinished";

/// What a campaign asks and tells on rank 0, between its sets of experiments.
struct CampaignHooks {
  std::function<bool()> stop_requested{};
  std::function<void(const CampaignProgress&)> progress{};
  /// Called every few seconds with what was measured so far, in case the job ends early, as where a host vanishes; not
  /// in simulations.
  std::function<void(const SampleSet&)> keep{};
};

/// Runs the plan. Every rank calls it with the same arguments; only rank 0's result is filled. Experiments on different
/// hosts run at the same time, in sets; ranks that have nothing to do wait in a receive. Passes over all sets follow
/// one another until every interval is precise or the budget ends; the first one is made in full, except that larger
/// messages are left out where a repetition takes many times its share of the budget. In simulated time one pass and
/// two repetitions are enough where these agree. Where a stop is requested, all ranks end with the set they are in, and
/// the result holds what was measured so far. Throws Error where data arrived damaged, and UsageError where the plan
/// needs more ranks.
[[nodiscard]] SampleSet run_campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings,
                                     const CampaignHooks& hooks = {});

}  // namespace postage
