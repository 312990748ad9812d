#include "report/curve_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr double kSlack = 1e-9;
/// Numbers from here on are written in groups of three digits.
constexpr double kGrouped = 1e4;

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = digits.size(); at > 3; at -= 3) {
    digits.insert(at - 3, ",");
  }
  return (value < 0 ? "-" : "") + digits;
}

}  // namespace

std::string format_value(double value, AxisUnit unit) {
  switch (unit) {
    case AxisUnit::kBytes:
      return value == std::floor(value) ? format_bytes(static_cast<Bytes>(value)) : fmt::format("{:.4g}", value);
    case AxisUnit::kSeconds:
      return format_seconds(value);
    case AxisUnit::kRate:
      return format_rate(value);
    case AxisUnit::kShare:
      return fmt::format("{:.4g} %", 100 * value);
    case AxisUnit::kNumber:
      break;
  }
  return std::abs(value) >= kGrouped ? grouped(value) : fmt::format("{:.4g}", value);
}

void CurveAxis::take(double value) {
  least_ = is_empty_ ? value : std::min(least_, value);
  most_ = is_empty_ ? value : std::max(most_, value);
  is_empty_ = false;
}

double CurveAxis::scaled(double value) const {
  return axis_.logarithmic ? std::log2(value) : value;
}

double CurveAxis::low() const {
  // A linear axis that ends near zero shows zero, so that heights can be compared.
  const bool from_zero = !axis_.logarithmic && least_ > 0 && least_ < 0.6 * most_;
  return from_zero ? 0 : scaled(least_);
}

double CurveAxis::high() const {
  return scaled(most_);
}

double CurveAxis::at(double value) const {
  return high() > low() ? (scaled(value) - low()) / (high() - low()) : 0.5;
}

std::vector<double> CurveAxis::marks() const {
  if (!axis_.logarithmic) {
    return multiples();
  }
  const bool is_count = axis_.unit == AxisUnit::kNumber && most_ < kGrouped;
  return axis_.unit == AxisUnit::kBytes || is_count ? powers_of_two() : powers_of_ten();
}

std::vector<double> CurveAxis::powers_of_two() const {
  const int first = static_cast<int>(std::ceil(low() - kSlack));
  const int last = static_cast<int>(std::floor(high() + kSlack));
  const int step = (last - first) / 9 + 1;
  std::vector<double> marks;
  for (int power = first; power <= last; power += step) {
    marks.push_back(std::exp2(power));
  }
  return marks;
}

std::vector<double> CurveAxis::powers_of_ten() const {
  const double first = low() / std::log2(10.0);
  const double last = high() / std::log2(10.0);
  std::vector<double> marks;
  const auto add = [&](double value) {
    if (std::log2(value) >= low() - kSlack && std::log2(value) <= high() + kSlack) {
      marks.push_back(value);
    }
  };
  for (double power = std::floor(first); power <= last; ++power) {
    add(std::pow(10, power));
    if (last - first < 2.5) {
      add(2 * std::pow(10, power));
      add(5 * std::pow(10, power));
    }
  }
  return marks;
}

std::vector<double> CurveAxis::multiples() const {
  const double range = high() - low();
  if (!(range > 0)) {
    return {least_};
  }
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  const double share = range / 5 / power;
  const double step = power * (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1);
  std::vector<double> marks;
  for (double i = std::ceil(low() / step - kSlack) + 0.0; i * step <= high() + kSlack * range; ++i) {
    marks.push_back(i * step);
  }
  return marks;
}

}  // namespace postage
