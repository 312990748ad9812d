#pragma once

#include <postage/samples/samples.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/transport.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace postage {

/// A collective to be timed: "bcast:binomial:64K" or "bcast:pipeline:1M:seg=8K".
struct CollectiveRun {
  Collective collective = Collective::kBcast;
  std::string algorithm;
  Bytes bytes = 0;
  Bytes segment_bytes = 0;
  Rank root = 0;
};

/// Throws UsageError saying what would be right.
[[nodiscard]] CollectiveRun parse_collective_run(std::string_view text);
[[nodiscard]] std::string format_collective_run(const CollectiveRun& run);

/// What to measure: sizes at which each kind of experiment is made; none where the list is empty. Sizes that several
/// lists lead to the same experiment are measured once.
struct CampaignPlan {
  // Between pairs of ranks (see pairs_to_measure).
  std::vector<Bytes> roundtrip_sizes;  ///< with replies of the same size
  std::vector<Bytes> echo_sizes;       ///< the same, each passing on what it received
  std::vector<Bytes> reply_sizes;      ///< with empty replies; 0 is the empty roundtrip
  std::vector<Bytes> overhead_sizes;   ///< sending and receiving overheads; needs the reply sizes too, and adds them
  std::vector<Bytes> train_sizes;      ///< saturation: one and many messages, without delay
  std::vector<Bytes> delayed_sizes;    ///< trains whose messages are so far apart that only the overhead shows
  std::vector<Bytes> strided_sizes;    ///< contiguous by `roundtrip_sizes`, and with each of the strides
  std::vector<Bytes> strides{8, 64, 512};
  Bytes run_bytes = 4;  ///< bytes that lie together in a strided message
  /// Replies, overheads and trains at sizes that grow fourfold from 0 and 1 up to this one, and at more where they
  /// bend; 0 leaves them out.
  Bytes largest_adaptive = 0;

  // Between triplets (see triplets_to_measure).
  std::vector<Bytes> one_to_two_sizes;

  // Over each channel.
  std::vector<Bytes> concurrent_sizes;  ///< tau pairs, and rings of tau
  std::vector<Bytes> fan_sizes;         ///< incast and outcast
  std::vector<Bytes> butterfly_sizes;

  // Among all.
  std::vector<Bytes> sweep_sizes;  ///< scatter and gather from rank 0; gather at more where it leaps
  std::vector<CollectiveRun> collectives;

  // At one rank of each host.
  std::vector<Bytes> copy_sizes;
  std::vector<Bytes> reduction_sizes;

  /// Equal roundtrips between the first pair, before everything else and after it: has the machine changed?
  std::vector<Bytes> control_sizes;

  /// Leave out what needs more ranks than there are, instead of refusing the plan.
  bool as_far_as_possible = false;
};

/// How far a campaign is.
struct CampaignProgress {
  double share = 0;        ///< of the passes that must be made, in [0, 1]
  bool repeating = false;  ///< they are made, and what is imprecise is repeated
  Seconds budget_left = 0;
};

/// Begins each line that says how far a measuring program is; CampaignProgress follows, as in "0.25 0 12.5".
inline constexpr const char* kProgressMark = "postage-progress: ";

/// What a campaign asks and tells on rank 0, between its sets.
struct CampaignHooks {
  std::function<bool()> stop_requested{};
  std::function<void(const CampaignProgress&)> progress{};
};

/// Runs the plan. Every rank calls it with the same arguments; only rank 0's result is filled. Experiments on different
/// hosts run at the same time, in sets; ranks that have nothing to do wait in a receive. Passes over all sets
/// follow one another until every interval is precise or the budget ends; the first one is made in full, except that
/// larger messages are left out where a repetition takes many times its share of the budget. In simulated time one pass
/// and two repetitions are enough where these agree. Where a stop is requested, all ranks end with the
/// set they are in, and the result holds what was measured so far. Throws Error where data arrived damaged, and
/// UsageError where the plan needs more ranks.
[[nodiscard]] SampleSet run_campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings,
                                     const CampaignHooks& hooks = {});

}  // namespace postage
