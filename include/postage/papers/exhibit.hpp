#pragma once

#include <postage/papers/context.hpp>
#include <postage/report/curves.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// One thing that a paper says, beside what we get: a number, or a claim like "> 2".
struct PaperRow {
  std::string what;                 ///< "RDA, P = 32, k = 32"
  std::optional<double> printed{};  ///< in the unit's base: seconds, bytes, shares of 1
  std::string claim{};              ///< what is printed where it is no number
  std::optional<double> ours{};     ///< missing where it could not be had: `note` says why
  AxisUnit unit = AxisUnit::kNumber;
  double rounding = 0;          ///< half a unit of the last printed digit
  std::optional<bool> holds{};  ///< of a claim
  std::string note{};           ///< what is particular to this row
};

/// A number worked out by hand from the print, or printed as it stands.
[[nodiscard]] PaperRow number_row(std::string what, double printed, double ours, AxisUnit unit, double rounding = 0);
/// A claim, what we get, and whether the claim holds of it.
[[nodiscard]] PaperRow claim_row(std::string what, std::string claim, double ours, AxisUnit unit, bool holds);
/// What the paper only draws, or does not give: ours alone.
[[nodiscard]] PaperRow our_row(std::string what, double ours, AxisUnit unit);
/// What is printed and cannot be had here.
[[nodiscard]] PaperRow missing_row(std::string what, double printed, AxisUnit unit, std::string why);

/// (ours - printed) / printed; of shares, the difference in points. Missing where one of the two is, or for a printed
/// 0.
[[nodiscard]] std::optional<double> difference_of(const PaperRow& row);

enum class RowVerdict { kAgrees, kDiffers, kNothingPrinted, kMissing };
/// Numbers agree to 0.1 % or to the digits printed, claims where they hold.
[[nodiscard]] RowVerdict verdict_of(const PaperRow& row);

/// A drawing of the exhibit.
struct PaperChart {
  std::string name;  ///< of the file, after the exhibit's: "" for a single one
  std::string title;
  std::vector<DrawnCurve> curves;
  DrawnAxis x{kSizeAxis, AxisUnit::kBytes};
  DrawnAxis y{"", AxisUnit::kSeconds};
};

struct ExhibitResult {
  std::vector<PaperRow> rows{};
  std::string why{};  ///< a sentence or more: why rows differ, and where the numbers come from
  std::vector<PaperChart> charts{};
};

enum class ExhibitKind { kEquation, kTable, kFigure, kAlgorithm, kProgram, kClaim };
/// Where our numbers come from: formulas and evaluators; a simulated machine or simulated caches; this machine's clock.
enum class ExhibitSource { kComputed, kSimulated, kMeasured };

[[nodiscard]] std::string_view name_of(ExhibitKind kind);
[[nodiscard]] std::string_view name_of(ExhibitSource source);

/// A table, a figure, an equation, an algorithm, a program or a claim of a paper's text.
struct Exhibit {
  ExhibitKind kind = ExhibitKind::kEquation;
  std::string number;  ///< as printed, like "3" or "2a"; of what has none the section and a word, like "4.1-thresholds"
  std::string caption;  ///< in our words where the paper has none
  /// Files of the tree that hold it, relative to its root: "src/predict/formulas/tu.cpp", with "#linear_bcast" for a
  /// name that stands in it. A test looks for each.
  std::vector<std::string> where;
  ExhibitSource source = ExhibitSource::kComputed;
  Seconds duration = 0;   ///< about how long it takes on two cores; 0 for what is computed
  std::string command{};  ///< a command that gives one of our numbers, where there is one
  std::function<ExhibitResult(PaperContext&)> compute{};
};

using Exhibits = std::vector<Exhibit>;

/// "figure-2a": how the command line, pages and files name it.
[[nodiscard]] std::string id_of(const Exhibit& exhibit);
/// "Figure 2a".
[[nodiscard]] std::string title_of(const Exhibit& exhibit);

}  // namespace postage
