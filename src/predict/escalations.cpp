#include "predict/escalations.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Longer than anything else: a time that grows by k of these has k fans of medium blocks one after the other.
constexpr Seconds kProbe = 1e6;

using Evaluate = std::function<Seconds(const Model&)>;

Index escalating_rounds(const Model& model, Seconds calm, const Evaluate& evaluate) {
  const FanLimits* limits = model.fan_limits();
  if (limits == nullptr || !limits->has_medium()) {
    return 0;
  }
  return std::llround((evaluate(model.with_medium_fans({.escalation = kProbe})) - calm) / kProbe);
}

/// Every fan of medium blocks as one of small or of large ones; each takes the longest level on top, or none does.
void widen(Prediction& prediction, const Model& model, const Evaluate& evaluate) {
  const Seconds longest = model.fan_limits()->longest_escalation();
  for (const bool as_large : {false, true}) {
    prediction.lower = std::min(prediction.lower, evaluate(model.with_medium_fans({as_large, 0})));
    prediction.upper = std::max(
        prediction.upper, std::isfinite(longest) ? evaluate(model.with_medium_fans({as_large, longest})) : longest);
  }
}

}  // namespace

void add_escalations(Prediction& prediction, const PlatformModel& platform, const Evaluate& evaluate) {
  const Model& model = platform.model();
  prediction.escalating_rounds = escalating_rounds(model, prediction.seconds, evaluate);
  if (!prediction.may_escalate()) {
    return;
  }
  for (const EscalationStep& level : model.fan_limits()->levels) {
    prediction.escalations.push_back({evaluate(model.with_medium_fans({.escalation = level.seconds})), level.share});
  }
  widen(prediction, model, evaluate);
  if (platform.has_bounds() && !platform.is_exact()) {
    widen(prediction, platform.at(Bound::kLower), evaluate);
    widen(prediction, platform.at(Bound::kUpper), evaluate);
  }
}

}  // namespace postage
