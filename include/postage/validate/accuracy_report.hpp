#pragma once

#include <postage/validate/accuracy.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace postage {

/// SMPI's own implementation of an algorithm against ours, and a prediction of the schedule against both.
struct LibraryPoint {
  AccuracyPoint ours;
  std::string library_algorithm;
  Seconds library = 0;
};

/// What the accuracy suite found.
struct AccuracyReport {
  std::vector<AccuracyPoint> points{};
  std::vector<LibraryPoint> library_points{};
  /// Platform and what it is, in the order of the page.
  std::vector<std::pair<std::string, std::string>> platforms{};
  /// Those of them that are no simulations: machines, whose speed changes.
  std::vector<std::string> real{};
  /// One sentence each: platforms and models that were left out, and why.
  std::vector<std::string> left_out{};
  /// What wrote it.
  std::string command = "postage validate --suite full --page docs";
  /// The model that the page's closer look is at.
  std::string best_model = "flow";
};

inline constexpr int kAccuracyVersion = 1;
inline constexpr const char* kAccuracyFormat = "postage-accuracy";

/// Everything but the command and which platforms are real, with the summary of each model for readers that want no
/// more.
[[nodiscard]] Json to_json(const AccuracyReport& report);
/// Throws Error naming `source` and the first field that is missing or wrong.
[[nodiscard]] AccuracyReport accuracy_from_json(const Json& value, const std::filesystem::path& source);

/// The reports in these files, one after the other. Throws UsageError where two have the same platform, Error where one
/// cannot be read.
[[nodiscard]] AccuracyReport read_reports(const std::vector<std::string>& files);

/// Adds the platforms, points and sentences of another report.
void append(AccuracyReport& all, AccuracyReport more);

[[nodiscard]] bool has_platform(const AccuracyReport& report, const std::string& platform);

}  // namespace postage
