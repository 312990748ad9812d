#pragma once

#include <postage/base/json.hpp>
#include <postage/predict/prediction.hpp>

#include <string>

namespace postage {

/// "202 ms in 10 % and 402 ms in 2 % of gathers"; "how far is not known" where no level is.
[[nodiscard]] std::string describe_escalations(const Prediction& prediction);

/// Adds may_escalate, escalating_rounds and escalations to the JSON of a prediction.
void add_escalations(Json& json, const Prediction& prediction);

}  // namespace postage
