#pragma once

#include <postage/base/units.hpp>

#include <map>
#include <string>
#include <vector>

namespace postage {

/// An estimated parameter in SI units (seconds, seconds per byte, ...) with its 95 % confidence interval. A parameter
/// given by hand has lower = value = upper.
struct Estimate {
  double value = 0;
  double lower = 0;
  double upper = 0;

  [[nodiscard]] static Estimate exactly(double value) { return {value, value, value}; }
  bool operator==(const Estimate&) const = default;
};

/// Which transfers a group of parameters is for: those over a channel, or between two ranks in either direction.
/// A pair's group goes before its channel's.
struct ParameterScope {
  std::string channel;  ///< empty for a pair
  int first = -1;       ///< ranks of the pair, first < second
  int second = -1;

  [[nodiscard]] bool is_pair() const { return channel.empty(); }
  bool operator==(const ParameterScope&) const = default;
};

/// Parameters of one scope for messages of at least `from_bytes` (protocols differ by size), up to the next group.
struct ParameterGroup {
  ParameterScope scope;
  Bytes from_bytes = 0;
  std::map<std::string, Estimate> values{};  ///< by the paper's symbol: alpha, beta, L, o_s, o_r, g, G, ...
  bool operator==(const ParameterGroup&) const = default;
};

/// How well a model's equation met the points that it was fitted to.
struct FitQuality {
  std::size_t points = 0;
  double median_relative_residual = 0;
  double largest_relative_residual = 0;
  /// Sizes between which there were points: predictions outside are extrapolations.
  Bytes smallest = 0;
  Bytes largest = 0;
  bool operator==(const FitQuality&) const = default;
};

/// All parameters of one model on one platform. Platform files hold models as such tables, so that a file survives a
/// program that does not know one of its models.
struct ParameterTable {
  std::string model;  ///< hockney, loggp, ...
  std::vector<ParameterGroup> groups;
  FitQuality fit;
  bool operator==(const ParameterTable&) const = default;
};

}  // namespace postage
