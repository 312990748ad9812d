#pragma once

#include <postage/measure/batch.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// A control variable of MPI's tool interface and the value that it is to have: a number, or a name that the variable
/// knows.
struct LibrarySetting {
  std::string variable;
  std::string value;
  auto operator<=>(const LibrarySetting&) const = default;
};

/// A collective of the library to be timed as it is by default, and with each of these settings.
struct ChoicePoint {
  BatchPoint point;
  std::vector<std::vector<LibrarySetting>> choices{};
  /// With which it does what it does by default, but does not look for it; none time the search, too.
  std::vector<LibrarySetting> standard{};
};

/// "2 bcast:binomial:64K; coll_tuned_bcast_algorithm=6; coll_tuned_bcast_algorithm=2 ...", one a line; the algorithm
/// says nothing but what buffers are needed. "2 bcast:binomial:64K; default VARIABLE=VALUE; ..." has settings of the
/// default. Throws UsageError naming the line.
[[nodiscard]] std::vector<ChoicePoint> parse_choices(const std::string& text, const std::string& source);
[[nodiscard]] std::string format_choices(const std::vector<ChoicePoint>& points);

/// The number of an enumerated variable's value by its name, from a description like "... auto - Internal selection
/// binomial - Force Binomial Tree", which is where MPICH tells them, in the order of their numbers. It may lack the
/// line breaks, so that a name follows the text before without a space. Nothing where the name is not there.
[[nodiscard]] std::optional<int> number_in_description(const std::string& description, const std::string& name);

/// What was measured of one choice and of the default in the rounds so far: is the choice surely slower than another
/// one?
struct ChoiceRounds {
  std::vector<double> times;  ///< [round]; shorter where the choice was left out from some round on
};

/// Successive halving, paired: which choices stay. The first, the default, always does; others go when the median of
/// their times over those of the fastest in the same rounds is surely (95 %) above 1, or where they are in the slower
/// half of those left and that median is above 1.05.
[[nodiscard]] std::vector<bool> choices_left(const std::vector<ChoiceRounds>& rounds, const std::vector<bool>& active);

/// True where at most one choice beside the default is left, and its gain is surely above 3 %, or below 1 %.
[[nodiscard]] bool is_decided(const std::vector<ChoiceRounds>& rounds, const std::vector<bool>& active);

}  // namespace postage
