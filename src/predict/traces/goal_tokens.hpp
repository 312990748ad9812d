#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace postage {

/// The words of a GOAL text: names and numbers, and each of { } : as a word of its own.
class GoalTokens {
 public:
  explicit GoalTokens(std::string_view text) : text_(text) { advance(); }

  [[nodiscard]] bool at_end() const { return word_.empty(); }
  /// Empty at the end.
  [[nodiscard]] std::string_view word() const { return word_; }
  std::string_view take();
  /// Takes the word if it is this one.
  bool take_if(std::string_view word);
  /// Throws Error where another word comes, saying what is expected.
  void expect(std::string_view word);
  /// A whole number up to `most`, followed by `suffix`.
  [[nodiscard]] std::int64_t take_number(std::string_view what, std::int64_t most, std::string_view suffix = {});

  /// Throws Error with the word's line.
  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] int line() const { return word_line_; }

 private:
  void skip_blank();
  void advance();

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::string_view word_;
  int word_line_ = 1;
};

}  // namespace postage
