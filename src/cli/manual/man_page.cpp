#include "cli/manual/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace postage {
namespace {

/// Text of a line that roff prints as it is.
std::string escaped(const std::string& text) {
  std::string line = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char letter : text) {
    switch (letter) {
      case '\\':
        line += "\\e";
        break;
      case '-':
        line += "\\-";
        break;
      case '\n':
        line += ' ';
        break;
      default:
        line += letter;
    }
  }
  return line;
}

/// Lines that are printed as they are.
std::string verbatim(const std::string& text) {
  std::string block = ".nf\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    block += (line.empty() ? "\\&" : escaped(line)) + "\n";
  }
  return block + ".fi\n";
}

std::string head(const std::string& title, const std::string& version, const std::string& summary) {
  std::string capitals = title;
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", escaped(capitals),
                     escaped(version), escaped(title), escaped(summary));
}

std::string option_entry(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  }
  const std::string value =
      option.is_positional || option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", option.value);
  std::string text = escaped(option.help);
  if (!option.choices.empty()) {
    text += escaped(fmt::format(" (one of {})", fmt::join(option.choices, ", ")));
  }
  if (!option.default_value.empty()) {
    text += escaped(fmt::format(" (default: {})", option.default_value));
  }
  return fmt::format(".TP\n{}{}\n{}\n", names, value, text.empty() ? "\\&" : text);
}

std::string synopsis(const std::string& words, const CommandDescription& command) {
  std::string line = fmt::format(".B {}\n[OPTIONS]", escaped(words));
  for (const OptionDescription& option : command.options) {
    if (option.is_positional) {
      line += option.is_required ? " " + option.names.front() : fmt::format(" [{}]", option.names.front());
    }
  }
  return line + (command.commands.empty() ? "\n" : " COMMAND\n");
}

std::string option_list(const CommandDescription& command) {
  std::string list;
  for (const OptionDescription& option : command.options) {
    list += option_entry(option);
  }
  return list;
}

std::string footer_of(const CommandDescription& command) {
  return command.footer.empty() ? "" : ".SH EXAMPLES\n" + verbatim(command.footer);
}

constexpr const char* kStatus =
    ".SH EXIT STATUS\n0 for success, 2 for an invalid request and 1 for a failure; the reason is one sentence on "
    "standard "
    "error.\n";

}  // namespace

std::string program_page(const CommandDescription& program, const std::string& version) {
  std::string page = head(program.name, version, "measure, model and predict the time of messages and collectives") +
                     ".SH SYNOPSIS\n" + synopsis(program.name, program) + ".SH DESCRIPTION\n" +
                     escaped(program.summary) + "\n.SH COMMANDS\n";
  std::string others;
  for (const CommandDescription& command : program.commands) {
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(command.name), escaped(command.summary));
    others += fmt::format("{}.BR {}\\-{} (1)", others.empty() ? "" : ",\n", program.name, escaped(command.name));
  }
  return page + ".SH OPTIONS\n" + option_list(program) + footer_of(program) + kStatus + ".SH SEE ALSO\n" + others +
         "\n";
}

std::string command_page(const CommandDescription& program, const CommandDescription& command,
                         const std::string& version) {
  const std::string words = program.name + " " + command.name;
  std::string page = head(program.name + "-" + command.name, version, command.summary) + ".SH SYNOPSIS\n" +
                     synopsis(words, command) + ".SH DESCRIPTION\n" + escaped(command.summary) + ".\n.SH OPTIONS\n" +
                     option_list(command);
  for (const CommandDescription& part : command.commands) {
    page += fmt::format(".SH {}\n{}.PP\n{}\n{}", escaped("\"" + words + " " + part.name + "\""),
                        synopsis(words + " " + part.name, part), escaped(part.summary), option_list(part));
  }
  return page + footer_of(command) + kStatus + ".SH SEE ALSO\n.BR " + program.name + " (1)\n";
}

}  // namespace postage
