#pragma once

#include <postage/base/json.hpp>
#include <postage/job/predictions.hpp>
#include <postage/optimize/comparison.hpp>

#include <string>
#include <vector>

namespace postage {

/// Algorithms and segments under one model at one size.
struct Ranking {
  std::string model;
  Bytes bytes = 0;
  std::vector<Candidate> candidates;  ///< as rank_candidates orders them

  /// The time over that of the first.
  [[nodiscard]] double times_slower(const Candidate& candidate) const;
};

struct Rankings {
  std::vector<Ranking> rankings{};
  LeftOutModels left_out{};
};

/// Throws UsageError for what has no algorithms: a message.
void check_comparable(const JobOptions& options);

/// By model and size, of the algorithms asked for and `segments` (sizes as parse_sizes reads them), where the options'
/// ranks are resolved. Throws UsageError or Error.
[[nodiscard]] Rankings rank_job(const JobOptions& options, const JobPlatform& platform, const std::string& segments);

[[nodiscard]] Json to_json(const std::vector<Ranking>& rankings, const std::string& collective, Rank ranks);

}  // namespace postage
