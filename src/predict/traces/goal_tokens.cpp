#include "predict/traces/goal_tokens.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace postage {
namespace {

constexpr std::string_view kSigns = "{}:";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// What is shown of a word that is not understood: text of files may be anything.
std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 40;
  std::string text(word.substr(0, kMost));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return text + (word.size() > kMost ? "..." : "");
}

}  // namespace

void GoalTokens::skip_blank() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (is_blank(rest.front())) {
      line_ += rest.front() == '\n' ? 1 : 0;
      ++at_;
    } else if (rest.substr(0, 2) == "//") {
      at_ += std::min(rest.find('\n'), rest.size());
    } else if (rest.substr(0, 2) == "/*") {
      const std::size_t end = rest.find("*/", 2);
      if (end == std::string_view::npos) {
        throw Error(fmt::format("line {}: the comment that begins with /* does not end", line_));
      }
      line_ += static_cast<int>(std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at_ += end + 2;
    } else {
      return;
    }
  }
}

void GoalTokens::advance() {
  skip_blank();
  word_line_ = line_;
  const std::string_view rest = text_.substr(at_);
  std::size_t length = 0;
  while (length < rest.size() && !is_blank(rest[length]) && kSigns.find(rest[length]) == std::string_view::npos) {
    ++length;
  }
  word_ = rest.substr(0, std::max<std::size_t>(length, rest.empty() ? 0 : 1));
  at_ += word_.size();
}

std::string_view GoalTokens::take() {
  const std::string_view word = word_;
  if (word.empty()) {
    fail("the text ends too early");
  }
  advance();
  return word;
}

bool GoalTokens::take_if(std::string_view word) {
  const bool is_it = word_ == word;
  if (is_it) {
    advance();
  }
  return is_it;
}

void GoalTokens::expect(std::string_view word) {
  if (!take_if(word)) {
    fail(at_end() ? fmt::format("the text ends where '{}' is expected", word)
                  : fmt::format("'{}' where '{}' is expected", shown(word_), word));
  }
}

std::int64_t GoalTokens::take_number(std::string_view what, std::int64_t most, std::string_view suffix) {
  std::string_view digits = word_;
  if (digits.size() > suffix.size() && digits.substr(digits.size() - suffix.size()) == suffix) {
    digits.remove_suffix(suffix.size());
  } else {
    digits = {};
  }
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || value < 0 || value > most) {
    fail(fmt::format("{} '{}' must be a whole number from 0 to {}{}", what, shown(word_), most,
                     suffix.empty() ? "" : fmt::format(" with '{}' behind it", suffix)));
  }
  advance();
  return value;
}

void GoalTokens::fail(const std::string& what) const {
  throw Error(fmt::format("line {}: {}", word_line_, what));
}

}  // namespace postage
