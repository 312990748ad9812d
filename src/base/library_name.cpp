#include <postage/base/library_name.hpp>

#include <algorithm>
#include <cctype>

namespace postage {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Tabs as spaces, several spaces as one.
std::string with_single_spaces(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const char shown = c == '\t' ? ' ' : c;
    if (shown != ' ' || (!result.empty() && result.back() != ' ')) {
      result += shown;
    }
  }
  return result;
}

/// Where the first word that is a number starts, at its v where it has one; npos where there is none.
std::size_t version_in(std::string_view text) {
  for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    const std::size_t digit = at + 1 < text.size() && text[at + 1] == 'v' ? at + 2 : at + 1;
    if (digit < text.size() && is_digit(text[digit])) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string library_name(std::string_view library_version) {
  const std::string text = with_single_spaces(library_version.substr(0, library_version.find_first_of(",\n")));
  const std::size_t at = version_in(text);
  if (at == std::string::npos) {
    return text;
  }
  std::string name = text.substr(0, at - 1);
  for (const std::string_view word : {" Version:", " Version"}) {
    if (name.ends_with(word)) {
      name.erase(name.size() - word.size());
    }
  }
  std::string version = text.substr(text[at] == 'v' ? at + 1 : at);
  version.erase(std::min(version.find(' '), version.size()));
  version.erase(version.find_last_not_of('.') + 1);
  return name.append(1, ' ').append(version);
}

}  // namespace postage
