#pragma once

#include <postage/measure/collective_run.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace postage {

/// A collective among the first `ranks` ranks of a job.
struct BatchPoint {
  Rank ranks = 2;
  CollectiveRun run;
};

/// "16 bcast:binomial:64K:seg=8K", one a line; '#' begins a comment. Throws UsageError naming the line.
[[nodiscard]] std::vector<BatchPoint> parse_batch(const std::string& text, const std::string& source);
/// One such line, without a comment. Throws UsageError quoting it.
[[nodiscard]] BatchPoint parse_batch_point(const std::string& line);
[[nodiscard]] std::string format_batch(const std::vector<BatchPoint>& points);

}  // namespace postage
