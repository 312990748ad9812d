#pragma once

#include <postage/predict/prediction.hpp>

#include <functional>

namespace postage {

/// Adds to a prediction, made with medium blocks as small ones and without escalation, what it may be where some gather
/// of the schedule escalates (FanLimits). `evaluate` gives the schedule's time under a model. O(levels) evaluations,
/// one where nothing escalates.
void add_escalations(Prediction& prediction, const PlatformModel& platform,
                     const std::function<Seconds(const Model&)>& evaluate);

}  // namespace postage
