#pragma once

#include <postage/base/json.hpp>
#include <postage/base/strides.hpp>
#include <postage/base/units.hpp>
#include <postage/validate/error_statistics.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// One prediction beside what was measured, seconds.
struct ValidationRow {
  std::string collective;  ///< or "p2p"
  std::string algorithm;
  std::int32_t ranks = 2;
  Bytes bytes = 0;
  Bytes segment = 0;
  std::int32_t root = 0;
  std::int32_t source = 0;  ///< p2p only
  std::int32_t target = 0;
  std::string model;
  Seconds predicted = 0;
  Seconds lower = 0;
  Seconds upper = 0;
  Seconds measured = 0;
  Seconds measured_lower = 0;
  Seconds measured_upper = 0;
  std::size_t repetitions = 0;
  bool precise = false;
  Strides strides{};

  /// (predicted - measured)/measured.
  [[nodiscard]] double error() const { return (predicted - measured) / measured; }
  bool operator==(const ValidationRow&) const = default;
};

/// Predictions of a platform against measurements that nothing was fitted to.
struct Validation {
  std::string platform;
  std::string implementation;
  bool is_virtual = false;
  std::vector<ValidationRow> rows{};
  bool operator==(const Validation&) const = default;
};

inline constexpr int kValidationVersion = 1;
inline constexpr const char* kValidationFormat = "postage-validation";

[[nodiscard]] Json to_json(const Validation& validation);
/// Throws Error naming `source` and the first field that is missing or wrong.
[[nodiscard]] Validation validation_from_json(const Json& value, const std::filesystem::path& source);

/// Errors of one model on one kind of work.
struct ErrorSummary {
  std::string model;
  std::string collective;
  std::string algorithm;
  ErrorStatistics errors;
};

/// What one summary is of.
enum class SummaryScope : std::uint8_t { kModel, kCollective, kAlgorithm };

/// One summary for each model, or each of its collectives, or each algorithm of those, in the order of their first
/// rows. `collective` and `algorithm` are empty where a summary is of more than one.
[[nodiscard]] std::vector<ErrorSummary> summarise_errors(std::span<const ValidationRow> rows,
                                                         SummaryScope scope = SummaryScope::kAlgorithm);

}  // namespace postage
