// Two near sizes at which a rule gains say nothing of those between if its choice, or the default, takes another
// protocol there.
#include "tuning/decide/communicator.hpp"
#include "tuning/decide/neighbouring_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// What times grow by more than bytes do, or less than they did before, is a leap from here on.
constexpr double kLeap = 1.05;
/// Sizes that are nearer are not told apart for the sake of a leap down, of which the loss is small then; nor do they
/// say how times grow.
constexpr double kNearSizes = 1.05;

bool are_apart(Bytes below, Bytes above) {
  return logarithm_of_ratio(above, below) > std::log(kNearSizes);
}

}  // namespace

bool CommunicatorDecision::may_leap_into_loss(std::size_t cell, std::size_t choice) const {
  return is_measured(cell, choice) && is_measured(cell + 1, choice) &&
         (leaps_up_into_loss(cell, choice) || leaps_down_out_of_loss(cell, choice));
}

/// A choice whose time grows by more than the bytes do takes another protocol somewhere between, and the default, which
/// sends other messages, somewhere else: as far as from just behind the one size to just before the other one it may
/// take longer.
bool CommunicatorDecision::leaps_up_into_loss(std::size_t cell, std::size_t choice) const {
  const Seconds standard = estimate(cell, 0).seconds;
  const Seconds above = estimate(cell + 1, choice).seconds;
  const double growth = std::log(above / estimate(cell, choice).seconds / kLeap);
  return growth > logarithm_of_ratio(sizes_[cell + 1], sizes_[cell]) && above > standard * (1 - request_.least_gain);
}

/// A choice whose time grows by less than it did before takes a faster protocol from somewhere between on, the default
/// perhaps sooner: until just before the larger size the one may take what it would without, the other what it takes
/// there.
bool CommunicatorDecision::leaps_down_out_of_loss(std::size_t cell, std::size_t choice) const {
  if (!are_apart(sizes_[cell], sizes_[cell + 1])) {
    return false;
  }
  const Seconds slow = continued(cell, choice);
  const Seconds standard = std::min(estimate(cell + 1, 0).seconds, continued(cell, 0));
  return slow > kLeap * estimate(cell + 1, choice).seconds && slow > standard * (1 - request_.least_gain);
}

/// The time at the next size as it grows up to the cell's, in proportion to the bytes at the most; of a cell without
/// another one before it that was measured there, what it takes there.
Seconds CommunicatorDecision::continued(std::size_t cell, std::size_t choice) const {
  std::size_t before = cell;
  bool is_known = false;
  while (before > 0 && !is_known) {
    --before;
    is_known = are_apart(sizes_[before], sizes_[cell]) && is_measured(before, choice);
  }
  const Seconds here = estimate(cell, choice).seconds;
  const double growth = here / estimate(before, choice).seconds;
  if (!is_known || !std::isfinite(growth)) {
    return estimate(cell + 1, choice).seconds;
  }
  const double power = std::log(growth) / logarithm_of_ratio(sizes_[cell], sizes_[before]);
  return here * std::exp(std::clamp(power, 0.0, 1.0) * logarithm_of_ratio(sizes_[cell + 1], sizes_[cell]));
}

}  // namespace postage
