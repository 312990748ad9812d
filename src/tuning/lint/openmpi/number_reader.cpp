#include "tuning/lint/openmpi/number_reader.hpp"

#include <cctype>
#include <cerrno>
#include <cstdlib>

namespace postage {
namespace {

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

bool RuleNumberReader::skip_spaces() {
  while (at_ < text_.size() && is_space(text_[at_])) {
    line_ += text_[at_++] == '\n' ? 1 : 0;
  }
  return at_ < text_.size();
}

void RuleNumberReader::skip_character() {
  if (text_[at_] == '#') {
    at_ = std::min(text_.find('\n', at_), text_.size());
    return;
  }
  if (skipped_.empty() || skipped_end_ != at_) {
    skipped_.push_back({.line = line_, .touches_number = at_ == number_end_ && at_ > 0});
  }
  skipped_.back().text += text_[at_++];
  skipped_end_ = at_;
}

std::optional<RuleNumber> RuleNumberReader::number_here() {
  const bool is_signed = text_[at_] == '-' || text_[at_] == '+';
  const std::size_t digits = at_ + (is_signed ? 1 : 0);
  if (digits >= text_.size() || !is_digit(text_[digits])) {
    return std::nullopt;
  }
  // The longest number that fits a long is far shorter than 64 characters; more digits are cut to its end anyway.
  std::size_t last = digits;
  while (last < text_.size() && std::isalnum(static_cast<unsigned char>(text_[last])) != 0) {
    ++last;
  }
  const std::string word(text_.substr(at_, last - at_));
  char* end = nullptr;
  const long value = std::strtol(word.c_str(), &end, 0);
  const bool is_octal = text_[digits] == '0' && digits + 1 < text_.size() && is_digit(text_[digits + 1]);
  const RuleNumber number{.value = value, .line = line_, .is_octal = is_octal};
  if (!skipped_.empty() && skipped_end_ == at_) {
    skipped_.back().touches_number = true;
  }
  at_ += static_cast<std::size_t>(end - word.c_str());
  number_end_ = at_;
  return number;
}

std::optional<RuleNumber> RuleNumberReader::next() {
  while (skip_spaces()) {
    if (const auto number = number_here()) {
      return number;
    }
    skip_character();
  }
  return std::nullopt;
}

bool RuleNumberReader::digit_follows() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
    ++at_;
  }
  return at_ < text_.size() && is_digit(text_[at_]);
}

}  // namespace postage
