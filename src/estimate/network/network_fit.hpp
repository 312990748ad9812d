#pragma once

#include "estimate/network/bandwidths.hpp"

namespace postage {

/// Times that are missed by less, as a share, need no further search.
inline constexpr double kExactTimes = 1e-3;
/// What hosts' links carry is looked for up to so many times more, or less.
inline constexpr double kMostOfHosts = 4;
/// A message among n takes at least so much of n times as long.
inline constexpr double kLeastPenalty = 0.6;

/// What is looked for beside bandwidths.
struct Searched {
  bool reverse_share = false;
  bool share_bytes = false;
  bool penalties = false;
  bool links_carry_one = false;  ///< hosts' own links carry no less than the model says
};

/// The parameters that explain the measurements best, one after the other, from those of another fit on. O(sweeps *
/// parameters) predictions of all experiments.
[[nodiscard]] FittedNetwork fit_from(FittedNetwork start, const Searched& searched, const NetworkJudge& judge,
                                     int sweeps);

/// The same with links of their own rate for groups of switches, for few of them or for all, where that is strong
/// evidence. O(groups) predictions of all experiments.
[[nodiscard]] FittedNetwork fit_groups(const FittedNetwork& fitted, const NetworkJudge& judge);

}  // namespace postage
