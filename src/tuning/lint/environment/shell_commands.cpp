#include "tuning/lint/environment/shell_commands.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <sstream>

namespace postage {
namespace {

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r';
}

/// The place of the first letter outside of quotes for which `is_end` holds, or the end.
template <typename IsEnd>
std::size_t find_unquoted(std::string_view text, std::size_t from, const IsEnd& is_end) {
  char quote = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (quote != 0) {
      quote = text[i] == quote ? 0 : quote;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (is_end(i)) {
      return i;
    }
  }
  return text.size();
}

/// A comment begins where a word may begin: UCC's values hold '#' themselves.
std::string without_comment(const std::string& line) {
  return line.substr(0, find_unquoted(line, 0, [&](std::size_t i) {
                       return line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t');
                     }));
}

/// "NAME=", in upper case as variables of an environment are.
bool begins_with_assignment(std::string_view text) {
  const auto at = text.find('=');
  return at != std::string_view::npos && at > 0 && std::isupper(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text.substr(0, at), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool begins_command(std::string_view text) {
  for (const std::string_view word : {"export ", "setenv ", "setenv(", "set ", "declare ", "mpirun ", "mpiexec "}) {
    if (text.starts_with(word)) {
      return true;
    }
  }
  return begins_with_assignment(text);
}

/// Adds the commands that stand in `line`, which has no comment.
void add_commands(const std::string& line, const ShellCommand& place, std::vector<ShellCommand>& commands) {
  std::size_t begin = 0;
  std::size_t behind = 0;
  while (behind < line.size()) {
    const std::size_t end =
        find_unquoted(line, behind, [&](std::size_t i) { return line[i] == ';' || line.compare(i, 2, "&&") == 0; });
    behind = std::min(line.size(), end + 1);
    const std::string rest =
        trimmed(std::string_view(line).substr(std::min(line.find_first_not_of(";&", end), line.size())));
    if (end == line.size() || begins_command(rest)) {
      commands.push_back(place);
      commands.back().text = trimmed(line.substr(begin, end - begin));
      begin = std::min(line.find_first_not_of(";&", end), line.size());
      behind = std::max(begin, behind);
    }
  }
  if (begin < line.size()) {
    commands.push_back(place);
    commands.back().text = trimmed(line.substr(begin));
  }
}

}  // namespace

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  const auto last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

std::vector<ShellCommand> shell_commands(std::string_view text) {
  std::vector<ShellCommand> commands;
  std::istringstream lines{std::string(text)};
  int number = 0;
  std::string joined;
  ShellCommand place;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::string content = trimmed(without_comment(line));
    if (joined.empty()) {
      place = {.line = number, .is_indented = !line.empty() && is_blank(line.front())};
    }
    if (content.ends_with('\\')) {
      content.back() = ' ';
      joined += content;
      continue;
    }
    add_commands(joined + content, place, commands);
    joined.clear();
  }
  add_commands(joined, place, commands);
  std::erase_if(commands, [](const ShellCommand& command) { return command.text.empty(); });
  return commands;
}

std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < command.size()) {
    if (is_blank(command[at])) {
      ++at;
      continue;
    }
    const std::size_t end = find_unquoted(command, at, [&](std::size_t i) { return is_blank(command[i]); });
    words.emplace_back(command.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace postage
