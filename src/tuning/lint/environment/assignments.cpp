#include "tuning/lint/environment/assignments.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace postage {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  const auto last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

/// A comment begins where a word may begin: UCC's values hold '#' themselves.
std::string without_comment(const std::string& line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      quote = line[i] == quote ? 0 : quote;
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    } else if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return line.substr(0, i);
    }
  }
  return line;
}

/// Sets the value without its quotes.
void set_value(std::string value, Assignment& assignment) {
  value = trimmed(value);
  while (!value.empty() && value.back() == ';' && (value.size() < 2 || value.front() != '"')) {
    value.pop_back();
  }
  const bool is_tcl = value.size() >= 2 && value.front() == '{' && value.back() == '}';
  assignment.is_quoted =
      is_tcl || (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front());
  assignment.value = assignment.is_quoted ? value.substr(1, value.size() - 2) : value;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// "setenv NAME VALUE" and "setenv("NAME", "VALUE")".
bool read_setenv(std::string line, Assignment& assignment) {
  if (line.starts_with("setenv(")) {
    line = "setenv " + line.substr(7, line.rfind(')') - 7);
    std::replace(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(std::min(line.find(',') + 1, line.size())),
                 ',', ' ');
  }
  if (!line.starts_with("setenv ") && !line.starts_with("setenv\t")) {
    return false;
  }
  std::istringstream words(line.substr(7));
  std::string rest;
  words >> assignment.name;
  std::getline(words, rest);
  set_value(assignment.name, assignment);
  assignment.name = assignment.value;
  set_value(rest, assignment);
  assignment.is_shell = true;
  return is_name(assignment.name);
}

bool read_equals(std::string line, Assignment& assignment) {
  for (const char* word : {"export ", "set ", "declare -x "}) {
    if (line.starts_with(word)) {
      line = trimmed(line.substr(std::string_view(word).size()));
      assignment.is_shell = true;
    }
  }
  const auto at = line.find('=');
  if (at == std::string::npos) {
    return false;
  }
  assignment.name = trimmed(line.substr(0, at));
  assignment.is_spaced = at > 0 && at + 1 < line.size() && (line[at - 1] == ' ' || line[at + 1] == ' ');
  set_value(line.substr(at + 1), assignment);
  return is_name(assignment.name);
}

}  // namespace

AssignmentText read_assignments(std::string_view text) {
  AssignmentText read;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string content = trimmed(without_comment(line));
    if (content.empty() || content.starts_with("--")) {
      continue;
    }
    Assignment assignment{.line = number, .is_indented = line.starts_with(' ') || line.starts_with('\t')};
    if (read_setenv(content, assignment) || read_equals(content, assignment)) {
      read.assignments.push_back(assignment);
    } else {
      read.others.push_back({.name = content, .line = number});
    }
  }
  return read;
}

}  // namespace postage
