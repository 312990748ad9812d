#include <postage/base/error.hpp>
#include <postage/measure/setting_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace postage {
namespace {

/// Of "1-12:00:00" the numbers 1, 12, 0 and 0; nothing where a part is no number.
std::optional<std::vector<long>> parts_of(std::string_view text) {
  std::vector<long> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("-:"), text.size());
    long value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + end, value);
    if (error != std::errc() || stop != text.data() + end || value < 0) {
      return std::nullopt;
    }
    parts.push_back(value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Seconds parse_clock(const std::string& text) {
  constexpr std::array<long, 4> kUnits{1, 60, 3600, 86400};
  const auto parts = parts_of(text);
  const bool has_days = text.find('-') != std::string::npos;
  if (!parts || parts->size() < 2 || parts->size() > kUnits.size() || (parts->size() == kUnits.size()) != has_days) {
    throw UsageError(fmt::format("--time-limit {}: give a time like 10min, 600s, 10:00 or 1-12:00:00", text));
  }
  Seconds seconds = 0;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    seconds += static_cast<double>((*parts)[parts->size() - 1 - i]) * static_cast<double>(kUnits[i]);
  }
  return seconds;
}

}  // namespace

Seconds parse_time_limit(const std::string& text) {
  const Seconds limit = text.find(':') != std::string::npos ? parse_clock(text) : parse_seconds(text);
  if (!(limit > 0)) {
    throw UsageError(fmt::format("--time-limit {}: give more than no time, like 10min", text));
  }
  return limit;
}

}  // namespace postage
