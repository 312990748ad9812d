#include <postage/platform/number_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace postage {
namespace {

/// More make no list of hosts, and files must not be able to ask for all memory.
constexpr int kMostOfRange = 1 << 24;

/// The number at the front of the text, which it takes off.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > kMostOfRange) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool append_range(std::string_view word, std::vector<int>& numbers) {
  const std::optional<int> first = take_number(word);
  if (!first || (!word.empty() && word.front() != '-')) {
    return false;
  }
  std::optional<int> last = first;
  if (!word.empty()) {
    word.remove_prefix(1);
    last = take_number(word);
  }
  if (!word.empty() || !last || *last < *first || (!numbers.empty() && *first <= numbers.back())) {
    return false;
  }
  for (int number = *first; number <= *last; ++number) {
    numbers.push_back(number);
  }
  return true;
}

}  // namespace

std::string format_number_list(std::span<const int> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) {
      ++end;
    }
    text += text.empty() ? "" : " ";
    text += end - i == 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

std::optional<std::vector<int>> parse_number_list(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0 && !append_range(text.substr(0, end), numbers)) {
      return std::nullopt;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

}  // namespace postage
