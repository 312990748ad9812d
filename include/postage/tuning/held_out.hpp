#pragma once

#include <postage/tuning/tune.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace postage {

/// What decisions give at a point that they were not made from. Seconds.
struct HeldOutRow {
  Collective collective = Collective::kBcast;
  Rank ranks = 2;
  Bytes bytes = 0;
  Seconds standard = 0;       ///< the library's default
  Seconds tuned = 0;          ///< what the rule says, or the default where there is none
  Seconds best = 0;           ///< of all that the library can do, the default among it
  std::string best_choice{};  ///< empty for the default
  bool has_rule = false;
};

/// Times the default and everything that the library can do at sizes that tune() did not measure, one between each two,
/// among numbers of ranks that it did not measure, where there are any, the largest one and one of two thirds of it.
/// What was timed is kept in the request's folder, so that an interrupted run can go on.
[[nodiscard]] std::vector<HeldOutRow> time_held_out(const TuneRequest& request, const Platform& platform,
                                                    const DecisionTable& table,
                                                    const std::function<LaunchTarget(const TuningJob&)>& target_of);

struct HeldOutSummary {
  std::size_t points = 0;
  std::size_t ruled = 0;      ///< points with a rule
  double worst = 0;           ///< the largest tuned/default
  double median_speedup = 1;  ///< of default/tuned, points without a rule among them
  double percentile95_speedup = 1;
  double median_regret = 0;  ///< of tuned/best - 1
  double percentile95_regret = 0;
};
[[nodiscard]] HeldOutSummary summarise_held_out(const std::vector<HeldOutRow>& rows);

[[nodiscard]] Json to_json(const std::vector<HeldOutRow>& rows);

}  // namespace postage
