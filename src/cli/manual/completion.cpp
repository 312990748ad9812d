#include "cli/manual/completion.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// In single quotes, for a shell; and for a description in brackets, as zsh's _arguments reads it.
std::string quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) {
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return quoted + "'";
}

std::string in_brackets(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    safe += letter == '[' || letter == ']' || letter == ':' || letter == '\\' ? fmt::format("\\{}", letter)
                                                                              : std::string(1, letter);
  }
  return safe;
}

/// Up to the first point, colon or semicolon: what there is room for beside a completion.
std::string first_clause(const std::string& help) {
  return help.substr(0, help.find_first_of(":;."));
}

/// "predict", or "lab up" of a command with parts: options of each.
struct Place {
  std::vector<std::string> words;
  const CommandDescription* command;
};

std::vector<Place> places_of(const CommandDescription& program) {
  std::vector<Place> places;
  for (const CommandDescription& command : program.commands) {
    places.push_back({{command.name}, &command});
    for (const CommandDescription& part : command.commands) {
      places.push_back({{command.name, part.name}, &part});
    }
  }
  return places;
}

std::vector<std::string> names_of(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) {
    names.push_back(command.name);
  }
  return names;
}

/// Options, commands and values of positional arguments: what a word may be that follows no option with a value.
std::vector<std::string> words_of(const CommandDescription& command) {
  std::vector<std::string> words = names_of(command.commands);
  for (const OptionDescription& option : command.options) {
    const std::vector<std::string>& more = option.is_positional ? option.choices : option.names;
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

std::string bash_case(const Place& place) {
  std::string text = fmt::format("    {})\n      case $previous in\n", quoted(joined(place.words)));
  for (const OptionDescription& option : place.command->options) {
    if (!option.is_positional && !option.choices.empty()) {
      text += fmt::format("        {}) values={} ;;\n", fmt::join(option.names, "|"), quoted(joined(option.choices)));
    } else if (!option.is_positional && !option.value.empty()) {
      text += fmt::format("        {}) return ;;\n", fmt::join(option.names, "|"));
    }
  }
  return text + fmt::format("      esac\n      words={}\n      ;;\n", quoted(joined(words_of(*place.command))));
}

std::string zsh_argument(const OptionDescription& option) {
  const std::string values = option.choices.empty() ? "_files" : fmt::format("({})", joined(option.choices));
  const std::string help = in_brackets(first_clause(option.help));
  if (option.is_positional) {
    return "      " + quoted(fmt::format("*:{}:{}", option.names.front(), values)) + " \\\n";
  }
  std::string arguments;
  for (const std::string& name : option.names) {
    const std::string value = option.value.empty() ? "" : fmt::format(":{}:{}", option.value, values);
    arguments += "      " + quoted(fmt::format("*{}[{}]{}", name, help, value)) + " \\\n";
  }
  return arguments;
}

std::string zsh_case(const Place& place) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", quoted(joined(place.words)));
  for (const OptionDescription& option : place.command->options) {
    text += zsh_argument(option);
  }
  if (!place.command->commands.empty()) {
    text += "      " + quoted(fmt::format("1:command:({})", joined(names_of(place.command->commands)))) + " \\\n";
  }
  return text.substr(0, text.size() - 3) + "\n      ;;\n";
}

std::string fish_option(const Place& place, const OptionDescription& option) {
  std::string line = fmt::format("complete -c postage -n '__fish_seen_subcommand_from {}", place.words.front());
  line += place.words.size() > 1 ? fmt::format("; and __fish_seen_subcommand_from {}'", place.words.back()) : "'";
  for (const std::string& name : option.is_positional ? std::vector<std::string>{} : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.choices.empty()) {
    line += (option.is_positional ? " -a " : " -x -a ") + quoted(joined(option.choices));
  } else if (!option.value.empty() && !option.is_positional) {
    line += " -r";
  }
  return line + " -d " + quoted(first_clause(option.help)) + "\n";
}

}  // namespace

std::string bash_completion(const CommandDescription& program) {
  std::string cases;
  for (const Place& place : places_of(program)) {
    cases += bash_case(place);
  }
  return fmt::format(
      R"(# bash completion of postage
_postage() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} place=${{COMP_WORDS[1]}} words= values=
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W {} -- "$word")
    return
  fi
  case "$place ${{COMP_WORDS[2]}}" in
    {}) [ "$COMP_CWORD" -gt 2 ] && place="$place ${{COMP_WORDS[2]}}" ;;
  esac
  case $place in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "${{values:-$words}}" -- "$word")
}}
complete -o default -F _postage postage
)",
      quoted(joined(words_of(program))),
      [&] {
        std::string nested;
        for (const Place& place : places_of(program)) {
          nested += place.words.size() > 1 ? (nested.empty() ? "" : "|") + quoted(joined(place.words)) : "";
        }
        return nested.empty() ? std::string("'-'") : nested;
      }(),
      cases);
}

std::string zsh_completion(const CommandDescription& program) {
  std::string commands;
  for (const CommandDescription& command : program.commands) {
    commands += "    " + quoted(command.name + ":" + command.summary) + "\n";
  }
  std::string cases;
  for (const Place& place : places_of(program)) {
    cases += place.words.size() == 1 ? zsh_case(place) : "";
  }
  return fmt::format(
      R"(#compdef postage
_postage() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    _arguments '--help[Print the help]' '--version[Print the version]'
    return
  fi
  local place=$words[2]
  shift words
  (( CURRENT-- ))
  case $place in
{}  esac
}}
if [ "$funcstack[1]" = _postage ]; then
  _postage "$@"
else
  compdef _postage postage
fi
)",
      commands, cases);
}

std::string fish_completion(const CommandDescription& program) {
  std::string text = "# fish completion of postage\n";
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("complete -c postage -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        quoted(command.summary));
    for (const CommandDescription& part : command.commands) {
      text += fmt::format("complete -c postage -n '__fish_seen_subcommand_from {}' -f -a {} -d {}\n", command.name,
                          part.name, quoted(part.summary));
    }
  }
  for (const Place& place : places_of(program)) {
    for (const OptionDescription& option : place.command->options) {
      text += option.is_positional && option.choices.empty() ? "" : fish_option(place, option);
    }
  }
  return text;
}

}  // namespace postage
