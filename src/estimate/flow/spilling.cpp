#include "estimate/flow/spilling.hpp"

#include "estimate/data/curves.hpp"

#include <algorithm>
#include <iterator>

namespace postage {
namespace {

/// Of smaller messages, in smallest fetched ones, the rate of their bytes does not show.
constexpr Bytes kVisible = 8;
/// What makes no message longer by more than this share is of no matter.
constexpr double kLeastSpilled = 0.1;

}  // namespace

ParameterCurve spilled_times(const ScopeFit& fit, const FetchedMessages& fetched) {
  const TimesBySize one_way = one_way_times(*fit.scope);
  const auto smallest = one_way.lower_bound(fetched.from);
  if (smallest == one_way.end()) {
    return {};
  }
  const auto per_byte = [&](const auto& message) {
    return (message.second.value - smallest->second.value) / static_cast<double>(message.first - smallest->first);
  };
  const auto visible = one_way.lower_bound(kVisible * smallest->first);
  const auto fastest =
      std::min_element(visible, one_way.end(), [&](const auto& a, const auto& b) { return per_byte(a) < per_byte(b); });
  if (fastest == one_way.end()) {
    return {};
  }
  const double rate = per_byte(*fastest);
  TimesBySize longer{{0, Estimate::exactly(0)}, {fastest->first, Estimate::exactly(0)}};
  bool shows = false;
  for (auto larger = std::next(fastest); larger != one_way.end(); ++larger) {
    const Seconds usual = smallest->second.value + rate * static_cast<double>(larger->first - smallest->first);
    const Estimate difference = minus(larger->second, Estimate::exactly(usual));
    shows = shows || difference.lower > kLeastSpilled * usual;
    longer[larger->first] = at_least_zero(difference);
  }
  return shows ? to_curve(longer) : ParameterCurve{};
}

}  // namespace postage
