#include "base/option_values.hpp"

#include <cmath>
#include <cstdlib>
#include <optional>

namespace postage {
namespace {

std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nullopt : std::optional(value);
}

}  // namespace

std::string refuse_other_than_decimal(const std::string& text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() == sign || text.find_first_not_of("0123456789", sign) != std::string::npos) {
    return fmt::format("'{}' is no whole number", text);
  }
  return text[sign] == '0' && text.size() > sign + 1
             ? fmt::format("'{}' begins with 0: write whole numbers without zeros before them", text)
             : "";
}

std::string refuse_infinite(const std::string& text) {
  return std::isfinite(number_in(text).value_or(NAN)) ? "" : fmt::format("{} is no finite number", text);
}

std::string refuse_not_above_zero(const std::string& text) {
  return number_in(text).value_or(0) > 0 ? "" : fmt::format("{} is not above 0", text);
}

}  // namespace postage
