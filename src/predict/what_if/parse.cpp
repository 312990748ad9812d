#include <postage/base/error.hpp>
#include <postage/predict/what_if.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace postage {
namespace {

constexpr std::int32_t kMostNodes = 1 << 24;
constexpr std::int32_t kMostOnANode = 1 << 16;
constexpr double kLargestFactor = 1e9;

std::string_view without_spaces_around(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

double factor_of(std::string_view item, std::string_view value) {
  double factor = 0;
  const char* const end = value.data() + value.size();
  const bool is_divisor = value.starts_with('/');
  if (is_divisor || value.starts_with('x')) {
    const auto [stop, error] = std::from_chars(value.data() + 1, end, factor);
    factor = stop == end && error == std::errc() ? factor : 0;
  }
  if (!(factor >= 1 / kLargestFactor && factor <= kLargestFactor)) {
    throw UsageError(fmt::format("--what-if {}: write a factor above 0, like x2 or /1.5, from 1e-9 to 1e9", item));
  }
  return is_divisor ? 1 / factor : factor;
}

std::int32_t number_of(std::string_view item, std::string_view value, std::int32_t most) {
  std::int32_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (stop != end || error != std::errc() || number < 1 || number > most) {
    throw UsageError(fmt::format("--what-if {}: give a number from 1 to {}", item, most));
  }
  return number;
}

void check_new(std::string_view item, bool is_new) {
  if (!is_new) {
    throw UsageError(fmt::format("--what-if {}: this is given twice", item));
  }
}

void add_item(std::string_view item, WhatIf& what_if) {
  const auto equals = item.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw UsageError(fmt::format(
        "--what-if '{}': write RESOURCE=xF or RESOURCE=/F, like inter-node.bandwidth=x2, or nodes=N", item));
  }
  const std::string_view name = without_spaces_around(item.substr(0, equals));
  const std::string_view value = without_spaces_around(item.substr(equals + 1));
  if (name == "nodes" || name == "per-node") {
    std::optional<std::int32_t>& number = name == "nodes" ? what_if.nodes : what_if.per_node;
    check_new(item, !number);
    number = number_of(item, value, name == "nodes" ? kMostNodes : kMostOnANode);
    return;
  }
  check_new(item, std::ranges::none_of(what_if.changes, [&](const auto& one) { return one.resource == name; }));
  what_if.changes.push_back({std::string(name), factor_of(item, value)});
}

}  // namespace

WhatIf parse_what_if(std::string_view text) {
  WhatIf what_if{.text = std::string(without_spaces_around(text))};
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    add_item(without_spaces_around(text.substr(begin, comma - begin)), what_if);
    begin = comma + 1;
  }
  return what_if;
}

}  // namespace postage
