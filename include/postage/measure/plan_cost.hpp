#pragma once

#include <postage/base/units.hpp>
#include <postage/schedule/schedule.hpp>

#include <string>
#include <vector>

namespace postage {

/// How many ranks of a job are alike.
enum class RankLikeness { kAllAlike, kAllDifferent };

/// A job that does not run: what a campaign on it would take.
struct PlannedJob {
  Rank hosts = 2;
  Rank per_host = 1;
  RankLikeness likeness = RankLikeness::kAllAlike;
  bool is_virtual = false;
  /// What a message is taken to cost: a latency, and seconds a byte.
  Seconds latency = 10e-6;
  double per_byte = 1e-9;
};

/// Experiments of one stage of a campaign, by what they are about.
struct StageCost {
  std::string kinds;  ///< "roundtrip, train"
  std::size_t groups = 0;
  std::size_t sets = 0;         ///< of groups that work at the same time
  std::size_t experiments = 0;  ///< of all groups
  double repetitions = 0;       ///< at least
  Seconds time = 0;             ///< of that many, sets one after another
};

struct CampaignCost {
  std::size_t pairs = 0;         ///< of ranks
  std::size_t probed_pairs = 0;  ///< without those that are probed since others surprised
  std::vector<StageCost> stages;
  [[nodiscard]] StageCost total() const;
};

/// What the campaign of these words, those of a measuring program, makes on the job, by counting. Throws UsageError as
/// the campaign would. O(hosts) where all ranks are alike or on hosts of their own.
[[nodiscard]] CampaignCost cost_of_campaign(const std::vector<std::string>& words, const PlannedJob& job);

}  // namespace postage
