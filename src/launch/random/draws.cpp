#include "launch/random/draws.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace postage {

double Draws::of_magnitude(double least, double most) {
  // Libraries of mathematics differ in the last digit.
  return std::stod(fmt::format("{:.2e}", least * std::exp2(unit() * std::log2(most / least))));
}

}  // namespace postage
