#include <postage/base/error.hpp>
#include <postage/launch/lab_plan.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace postage {

double parse_bit_rate(std::string_view text) {
  static constexpr std::array<std::pair<char, double>, 4> kUnits{{{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error == std::errc{} && std::isfinite(number) && number > 0) {
    for (const auto& [prefix, factor] : kUnits) {
      if (unit.starts_with(prefix)) {
        number *= factor;
        unit.remove_prefix(1);
        break;
      }
    }
    if (unit.empty() || unit == "bit" || unit == "bit/s") {
      return number / 8;
    }
  }
  throw UsageError(fmt::format("'{}' is no rate; write one as 100M, 2.5Gbit or 10Mbit/s", text));
}

std::string format_bit_rate(double bytes_per_second) {
  if (bytes_per_second == 0) {
    return "unlimited";
  }
  double rate = 8 * bytes_per_second;
  for (const char* prefix : {"", "k", "M"}) {
    if (rate < 1000) {
      return fmt::format("{:.12g}{}bit", rate, prefix);
    }
    rate /= 1000;
  }
  return fmt::format("{:.12g}Gbit", rate);
}

}  // namespace postage
