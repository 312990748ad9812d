#pragma once

#include "validate/outliers/deviations.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// What may be slow, and on which pairs of a band that would show.
struct OutlierCandidate {
  Outlier::Kind kind = Outlier::Kind::kHost;
  std::vector<std::string> names;
  int host = -1;  ///< of a host
  std::vector<std::size_t> pairs;
};

/// How much slower a candidate's pairs are than the others of their classes.
struct Contrast {
  double value = 0;  ///< of logarithms
  double error = 0;  ///< standard error
  double degrees = 0;
  std::size_t others = 0;
};

/// Nothing where there are too few others.
[[nodiscard]] std::optional<Contrast> contrast_of(const std::vector<PairDeviation>& pairs,
                                                  const OutlierCandidate& candidate);

/// What is slow in one band, the clearest first, but no more than `most` and one.
[[nodiscard]] std::vector<Outlier> slow_in_band(SizeBand band, const std::vector<OutlierCandidate>& candidates,
                                                const OutlierSettings& settings, std::size_t most);

}  // namespace postage
