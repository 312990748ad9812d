#include "tuning/lint/environment/assignments.hpp"

#include "tuning/lint/environment/shell_commands.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <sstream>

namespace postage {
namespace {

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

/// fish's "set -gx NAME VALUE".
bool read_fish(const std::string& line, Assignment& assignment) {
  const std::vector<std::string> words = shell_words(line);
  const bool is_exporting = words.size() >= 4 && words[0] == "set" && words[1].starts_with('-') &&
                            words[1].find('x') != std::string::npos && is_name(words[2]);
  if (!is_exporting) {
    return false;
  }
  assignment.name = words[2];
  assignment.is_shell = true;
  set_value(words[3], assignment);
  return true;
}

bool read_equals(const std::string& line, Assignment& assignment) {
  const auto at = line.find('=');
  if (at == std::string::npos) {
    return false;
  }
  assignment.name = trimmed(line.substr(0, at));
  assignment.is_spaced = at > 0 && at + 1 < line.size() && (line[at - 1] == ' ' || line[at + 1] == ' ');
  set_value(line.substr(at + 1), assignment);
  return is_name(assignment.name);
}

bool is_launcher(const std::string& word) {
  const std::string program = word.substr(word.rfind('/') + 1);
  return program.starts_with("mpirun") || program.starts_with("mpiexec") || program == "orterun" ||
         program == "prterun" || program == "srun";
}

/// "--mca NAME VALUE" of Open MPI's, "-genv NAME VALUE" of Hydra's, and "-x NAME=VALUE", each for one job.
void read_launcher(std::span<const std::string> words, Assignment of_line, AssignmentText& read) {
  of_line.is_shell = true;
  of_line.is_indented = true;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string option = words[i].starts_with("--") ? words[i].substr(1) : words[i];
    const bool is_parameter = option == "-mca" || option == "-gmca";
    Assignment one = of_line;
    if ((is_parameter || option == "-genv" || option == "-env") && i + 2 < words.size() && is_name(words[i + 1])) {
      one.name = (is_parameter ? "OMPI_MCA_" : "") + words[i + 1];
      set_value(words[i + 2], one);
      read.assignments.push_back(one);
    } else if ((option == "-x" || option == "-genv" || option == "-env") && read_equals(words[i + 1], one)) {
      read.assignments.push_back(one);
    }
  }
}

/// "A=1 B=2", and "A=1 mpirun ..." for one job. Where ';' follows a value without quotes, the rest is taken as its own.
bool read_words(const std::vector<std::string>& words, const Assignment& of_line, AssignmentText& read) {
  const std::size_t before = read.assignments.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    Assignment one = of_line;
    if (is_launcher(words[i])) {
      for (std::size_t k = before; k < read.assignments.size(); ++k) {
        read.assignments[k].is_indented = true;
      }
      read_launcher(std::span(words).subspan(i + 1), of_line, read);
      return true;
    }
    if (words[i] == "exec" || words[i] == "time" || words[i] == "env") {
      continue;
    }
    std::string word = words[i];
    while (word.ends_with(';') && i + 1 < words.size()) {
      word += ' ' + words[++i];
    }
    if (!read_equals(word, one)) {
      break;
    }
    read.assignments.push_back(one);
  }
  return read.assignments.size() > before;
}

/// Parameters of a file of Open MPI's take the whole line.
bool is_shells(const std::string& line) {
  const auto at = line.find('=');
  const bool is_spaced = at != std::string::npos && at > 0 && (line[at - 1] == ' ' || line.compare(at, 2, "= ") == 0);
  return !is_spaced && !line.empty() &&
         (std::isupper(static_cast<unsigned char>(line.front())) != 0 || line.starts_with("I_MPI") ||
          is_launcher(shell_words(line).front()) || line.starts_with("exec ") || line.starts_with("time ") ||
          line.starts_with("env "));
}

void read_command(const ShellCommand& command, AssignmentText& read) {
  Assignment one{.line = command.line, .is_indented = command.is_indented};
  std::string line = command.text;
  if (read_setenv(line, one) || read_fish(line, one)) {
    read.assignments.push_back(one);
    return;
  }
  for (const char* word : {"export ", "set ", "declare -x "}) {
    if (line.starts_with(word)) {
      line = trimmed(line.substr(std::string_view(word).size()));
      one.is_shell = true;
    }
  }
  if (is_shells(line) && read_words(shell_words(line), one, read)) {
    return;
  }
  if (read_equals(line, one)) {
    read.assignments.push_back(one);
  } else {
    read.others.push_back({.name = command.text, .line = command.line});
  }
}

}  // namespace

AssignmentText read_assignments(std::string_view text) {
  AssignmentText read;
  for (const ShellCommand& command : shell_commands(text)) {
    if (!command.text.starts_with("--")) {
      read_command(command, read);
    }
  }
  return read;
}

}  // namespace postage
