#pragma once

#include <postage/papers/paper.hpp>

namespace postage {

/// An exhibit with what it gave; without `result` where it was not run.
struct RanExhibit {
  const Exhibit* exhibit = nullptr;
  std::optional<ExhibitResult> result{};
  Seconds seconds = 0;  ///< that it took
};

struct PaperRun {
  const Paper* paper = nullptr;
  std::vector<RanExhibit> exhibits{};
};

/// Which exhibits are run: those of the ids, of which "figure-2" names figures 2a and 2b as well; without ids those
/// that are computed, and the others where `all` says so.
struct ExhibitSelection {
  std::vector<std::string> ids{};
  bool all = false;
};

/// Runs them in the paper's order. An exhibit that throws Error ends the run. Throws UsageError for unknown ids.
[[nodiscard]] PaperRun run_paper(const Paper& paper, const ExhibitSelection& selection, const PaperOptions& options);

/// Rows by their verdicts.
struct VerdictCounts {
  int numbers_agree = 0;
  int numbers_differ = 0;
  int claims_hold = 0;
  int claims_fail = 0;
  int missing = 0;
  int exhibits_not_run = 0;
};
[[nodiscard]] VerdictCounts count_verdicts(const PaperRun& run);
/// "41 of 52 printed numbers come out to 0.1 % or the digits printed; 9 of 10 claims hold; 3 exhibits were not run.".
[[nodiscard]] std::string verdict_line(const PaperRun& run);

[[nodiscard]] Json to_json(const PaperRun& run);

/// For a terminal: a table for each exhibit.
[[nodiscard]] std::string text_of(const PaperRun& run);

/// A cell of a table: "2.038 ms", "1.59 %".
[[nodiscard]] std::string printed_text(const PaperRow& row);
[[nodiscard]] std::string our_text(const PaperRow& row);
[[nodiscard]] std::string difference_text(const PaperRow& row);

}  // namespace postage
