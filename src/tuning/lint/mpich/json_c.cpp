#include "tuning/lint/mpich/json_c.hpp"

#include <algorithm>
#include <cctype>

namespace postage {
namespace {

/// Behind the string that begins with the quote there. Its quotes become double ones.
std::size_t rewrite_string(std::string& text, std::size_t at) {
  const char quote = text[at];
  text[at] = '"';
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      text[at] = '\'';
    }
  }
  if (at < text.size()) {
    text[at] = '"';
  }
  return at + 1;
}

/// Behind the comment that begins there; there itself where none does.
std::size_t behind_comment(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "//") == 0) {
    return std::min(text.find('\n', at), text.size());
  }
  if (text.compare(at, 2, "/*") == 0) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string::npos ? text.size() : end + 2;
  }
  return at;
}

}  // namespace

std::string as_json(std::string_view text) {
  std::string strict(text);
  std::size_t comma = std::string::npos;
  for (std::size_t at = 0; at < strict.size();) {
    const char c = strict[at];
    if (const std::size_t behind = behind_comment(strict, at); behind != at) {
      at = behind;
      continue;
    }
    if ((c == '}' || c == ']') && comma != std::string::npos) {
      strict[comma] = ' ';
    }
    if (c == ',') {
      comma = at;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      comma = std::string::npos;
    }
    at = c == '"' || c == '\'' ? rewrite_string(strict, at) : at + 1;
  }
  return strict;
}

}  // namespace postage
