#pragma once

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

namespace postage {

struct HanWord {
  std::string text{};
  int line = 1;
};

/// Words between spaces, as HAN reads them; '#' begins a comment.
class HanWordReader {
 public:
  explicit HanWordReader(std::string_view text) : text_(text) {}

  [[nodiscard]] std::optional<HanWord> next() {
    if (!find_word()) {
      return std::nullopt;
    }
    const std::size_t first = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '#') {
      ++at_;
    }
    return HanWord{std::string(text_.substr(first, at_ - first)), line_};
  }

  [[nodiscard]] bool next_begins_with(char c) { return find_word() && text_[at_] == c; }

  void skip_past(char c) {
    while (at_ < text_.size() && text_[at_] != c) {
      line_ += text_[at_++] == '\n' ? 1 : 0;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  [[nodiscard]] int line() const { return line_; }

 private:
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

  bool find_word() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (is_space(text_[at_])) {
        line_ += text_[at_++] == '\n' ? 1 : 0;
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace postage
