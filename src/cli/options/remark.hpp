#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace postage {

/// Writes to standard error. What cannot be written there is lost, and ends nothing.
template <typename... Values>
void print_remark(fmt::format_string<Values...> text, Values&&... values) {
  const std::string sentence = fmt::format(text, std::forward<Values>(values)...);
  static_cast<void>(std::fwrite(sentence.data(), 1, sentence.size(), stderr));
}

}  // namespace postage
