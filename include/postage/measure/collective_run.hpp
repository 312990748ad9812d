#pragma once

#include <postage/base/strides.hpp>
#include <postage/samples/experiment.hpp>
#include <postage/schedule/algorithms.hpp>

#include <string>
#include <string_view>

namespace postage {

/// In the place of an algorithm: the collective of the library that sends the messages, like MPI_Bcast.
inline constexpr std::string_view kLibraryAlgorithm = "library";

/// A collective to be timed: "bcast:binomial:64K" or "bcast:pipeline:1M:seg=8K:root=3:ranks=6".
struct CollectiveRun {
  Collective collective = Collective::kBcast;
  std::string algorithm;  ///< or the name of a schedule file (is_schedule_file), which says its root and blocks
  Bytes bytes = 0;
  Bytes segment_bytes = 0;
  Rank root = 0;
  Rank ranks = 0;  ///< the first so many of the job's; 0 for all
  Strides strides{};
  Index steps = 0;  ///< the first so many of the schedule's (first_steps); 0 for all

  [[nodiscard]] bool is_library() const { return algorithm == kLibraryAlgorithm; }
};

/// What an experiment of a collective ran.
[[nodiscard]] CollectiveRun collective_run_of(const Experiment& experiment);

/// Throws UsageError saying what would be right. Reads the schedule file that takes the place of an algorithm, whose
/// own size counts where SIZE is 0.
[[nodiscard]] CollectiveRun parse_collective_run(std::string_view text);
[[nodiscard]] std::string format_collective_run(const CollectiveRun& run);

}  // namespace postage
