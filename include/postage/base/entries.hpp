#pragma once

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace postage {

/// Parses each line of a text that holds more than a comment (from '#' on). Throws UsageError naming the source and the
/// line before what `parse` says.
template <typename Entry, typename Parse>
[[nodiscard]] std::vector<Entry> parse_entries(const std::string& text, const std::string& source, const Parse& parse) {
  std::istringstream lines(text);
  std::vector<Entry> entries;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t") == std::string::npos) {
      continue;
    }
    try {
      entries.push_back(parse(line));
    } catch (const UsageError& mistake) {
      throw UsageError(fmt::format("{}, line {}: {}", source, number, mistake.what()));
    }
  }
  return entries;
}

}  // namespace postage
