#pragma once

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string>
#include <string_view>

namespace postage {

// What is wrong with an option's value, as it was typed; empty where nothing is.

/// Of whole numbers, which the parsing library takes as C does: 010 for 8.
[[nodiscard]] std::string refuse_other_than_decimal(const std::string& text);
[[nodiscard]] std::string refuse_infinite(const std::string& text);
[[nodiscard]] std::string refuse_not_above_zero(const std::string& text);

/// Of a decimal number.
template <typename Integer>
[[nodiscard]] std::string refuse_out_of_range(const std::string& text) {
  using Limits = std::numeric_limits<Integer>;
  if (!Limits::is_signed && text.starts_with('-')) {
    return fmt::format("{} is less than 0", text);
  }
  Integer value = 0;
  const std::string_view digits = std::string_view(text).substr(text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() ? "" : fmt::format("{} is not from {} to {}", text, Limits::min(), Limits::max());
}

}  // namespace postage
