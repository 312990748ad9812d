#include "report/page/brief.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace postage {

Json brief(double value) {
  return std::isfinite(value) ? Json(std::stod(fmt::format("{:.4e}", value))) : Json();
}

Json brief(const Estimate& estimate) {
  return Json::array({brief(estimate.value), brief(estimate.lower), brief(estimate.upper)});
}

}  // namespace postage
