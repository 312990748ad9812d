#pragma once

#include <postage/measure/samples.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/transport.hpp>

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

/// What to measure.
struct CampaignPlan {
  /// Roundtrips with equal replies between all pairs (see `pairs_of`) at these sizes.
  std::vector<Bytes> roundtrip_sizes;
  /// Sending and receiving overheads, and trains at these sizes, between the same pairs: what LogGP needs.
  std::vector<Bytes> train_sizes;
  std::vector<CollectiveRun> collectives;
};

/// Every pair of up to 64 ranks; above that each rank with rank 0 and with its neighbour, so that the number of
/// experiments grows linearly.
[[nodiscard]] std::vector<std::pair<Rank, Rank>> pairs_of(Rank ranks);

/// Runs the plan. Every rank calls it with the same arguments; only rank 0's result is filled. One experiment runs at a
/// time; ranks that do not take part wait in a receive. Throws Error where data arrived damaged.
[[nodiscard]] SampleSet run_campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings);

}  // namespace postage
