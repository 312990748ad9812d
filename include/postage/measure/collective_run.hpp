#pragma once

#include <postage/schedule/algorithms.hpp>

#include <string>
#include <string_view>

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

}  // namespace postage
