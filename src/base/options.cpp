#include "base/option_values.hpp"

#include <postage/base/error.hpp>
#include <postage/base/options.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace postage {
namespace {

std::string command_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

bool has_commands(const CLI::App& app) {
  return !app.get_subcommands([](const CLI::App*) { return true; }).empty();
}

/// CLI11 would only say that an argument was not expected.
void check_first_word(const CLI::App& app, int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "-";
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == name; };
  const auto named = app.get_subcommands(is_named);
  if (has_commands(app) && !name.starts_with('-') && named.empty()) {
    throw UsageError(unknown_name("command", name, command_names(app)));
  }
  if (argc > 2 && !named.empty()) {
    check_first_word(*named.front(), argc - 1, argv + 1);
  }
}

/// "postage optimize tree", with the commands named on the command line.
std::string chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : fmt::format("{} {}", app.get_name(), chosen_command(*chosen.front()));
}

/// CLI11 would name all words that are left, and the option last.
std::string unexpected_word(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const auto option =
      std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with('-'); });
  return option != words.end() ? fmt::format("unknown option '{}'", *option)
                               : fmt::format("unexpected argument '{}'", words.front());
}

/// CLI11 writes choices as "TEXT:{a,b}".
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) {
    return choices;
  }
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string choice; std::getline(list, choice, ',');) {
    choices.push_back(choice);
  }
  return choices;
}

/// The first of the options that is on the command line; empty where none is.
std::string first_given(const CLI::App& command, const std::vector<std::string>& options) {
  const auto given =
      std::ranges::find_if(options, [&](const std::string& one) { return command.get_option(one)->count() > 0; });
  return given == options.end() ? "" : *given;
}

/// "--segment: 'x' is not a size": with the option whose value a sentence quotes, where it names none.
std::string naming_option(const CLI::App& command, const std::string& sentence) {
  for (const CLI::Option* option : command.get_options([](const CLI::Option* one) { return one->count() > 0; })) {
    const std::string name = option->get_single_name();
    const std::string shown = option->get_positional() ? name : "--" + name;
    for (const std::string& value : option->results()) {
      const bool is_quoted = sentence.find(fmt::format("'{}'", value)) != std::string::npos ||
                             sentence.starts_with(fmt::format("cannot read {}:", value));
      if (is_quoted && option->nonpositional() && sentence.find("--") == std::string::npos) {
        return fmt::format("{}: {}", shown, sentence);
      }
    }
  }
  return sentence;
}

CLI::Option* checked(CLI::Option* option, std::string (*refuse)(const std::string&)) {
  return option->check(CLI::Validator(refuse, ""));
}
template <typename Integer>
CLI::Option* checked_integer(CLI::Option* option) {
  return checked(checked(option, refuse_other_than_decimal), refuse_out_of_range<Integer>);
}

OptionDescription description_of(const CLI::Option& option) {
  OptionDescription described{.names = {},
                              .default_value = option.get_default_str(),
                              .help = option.get_description(),
                              .is_positional = option.get_positional(),
                              .is_required = option.get_required()};
  for (const std::string& name : option.get_snames()) {
    described.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    described.names.push_back("--" + name);
  }
  if (described.is_positional) {
    described.names = {option.get_single_name()};
  }
  const std::string type = option.get_type_size() == 0 ? "" : option.get_type_name();
  described.value = type.substr(0, type.find_first_of(":{ "));
  described.choices = choices_in(type);
  return described;
}

CommandDescription description_of(const CLI::App& app) {
  CommandDescription described{.name = app.get_name(), .summary = app.get_description(), .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    described.options.push_back(description_of(*option));
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) {
      described.commands.push_back(description_of(*command));
    }
  }
  return described;
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::with_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::range(double least, double most) {
  switch (number_) {
    case Number::kInteger:
      option_->check(CLI::Range(static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)));
      break;
    case Number::kUnsigned:
      option_->check(CLI::Range(static_cast<std::size_t>(least), static_cast<std::size_t>(most)));
      break;
    case Number::kReal:
      option_->check(CLI::Range(least, most));
      break;
  }
  return *this;
}

Option& Option::positive() {
  option_->check(CLI::Validator(refuse_not_above_zero, "POSITIVE"));
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& choices) {
  option_->check(CLI::IsMember(choices));
  return *this;
}

Option& Option::comma_separated() {
  option_->delimiter(',');
  return *this;
}

Option& Option::one_at_a_time() {
  option_->allow_extra_args(false);
  return *this;
}

Option Command::option(const std::string& names, std::string& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::int32_t& value, const std::string& help) {
  return Option(checked_integer<std::int32_t>(app_->add_option(names, value, help)));
}

Option Command::option(const std::string& names, std::int64_t& value, const std::string& help) {
  return Option(checked_integer<std::int64_t>(app_->add_option(names, value, help)));
}

Option Command::option(const std::string& names, std::size_t& value, const std::string& help) {
  return Option(checked_integer<std::size_t>(app_->add_option(names, value, help)), Option::Number::kUnsigned);
}

Option Command::option(const std::string& names, double& value, const std::string& help) {
  return Option(checked(app_->add_option(names, value, help), refuse_infinite), Option::Number::kReal);
}

Option Command::option(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return Option(app_->add_option(names, values, help));
}

Option Command::option(const std::string& names, std::vector<std::int64_t>& values, const std::string& help) {
  return Option(checked_integer<std::int64_t>(app_->add_option(names, values, help)));
}

void Command::flag(const std::string& names, bool& value, const std::string& help) {
  app_->add_flag(names, value, help);
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

Command Command::subcommand(const std::string& name, const std::string& summary) {
  return Command(app_->add_subcommand(name, summary));
}

Command Command::hidden_subcommand(const std::string& name) {
  return Command(app_->add_subcommand(name, "")->group(""));
}

void Command::require_subcommand() {
  app_->require_subcommand(1);
}

void Command::action(std::function<void()> run) {
  app_->callback([command = app_, rules = rules_, run = std::move(run)] {
    for (const Rule& rule : *rules) {
      rule(*command);
    }
    try {
      run();
    } catch (const UsageError& mistake) {
      throw UsageError(naming_option(*command, mistake.what()));
    }
  });
}

void Command::only_with(const std::vector<std::string>& others, const std::vector<std::string>& options) {
  rules_->push_back([others, options](const CLI::App& command) {
    const std::string option = first_given(command, options);
    if (!option.empty() && first_given(command, others).empty()) {
      throw UsageError(fmt::format("{} has no effect without {}: add {}, or leave it out", option,
                                   fmt::join(others, " or "), others.size() > 1 ? "one of these" : others.front()));
    }
  });
}

void Command::not_with(const std::string& other, const std::vector<std::string>& options) {
  rules_->push_back([other, options](const CLI::App& command) {
    const std::string option = first_given(command, options);
    if (!option.empty() && command.get_option(other)->count() > 0) {
      throw UsageError(fmt::format("{} has no effect with {}: leave one of them out", option, other));
    }
  });
}

CommandDescription Command::description() const {
  return description_of(*app_);
}

CommandLine::CommandLine(const std::string& program, const std::string& summary)
    : Command(nullptr), owned_(std::make_unique<CLI::App>(summary, program)) {
  app_ = owned_.get();
  app_->require_subcommand(0, 1);  // words after the first command are its own, also where they name commands
}

CommandLine::~CommandLine() = default;

void CommandLine::version(const std::string& text) {
  app_->set_version_flag("--version", text);
}

std::string CommandLine::parse(int argc, const char* const* argv) {
  check_first_word(*app_, argc, argv);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    throw UsageError(fmt::format("{}; see '{} --help'", unexpected_word(*app_), chosen_command(*app_)));
  } catch (const CLI::ParseError& mistake) {
    if (mistake.get_exit_code() != 0) {
      throw UsageError(fmt::format("{}; see '{} --help'", mistake.what(), chosen_command(*app_)));
    }
    std::ostringstream text;  // --help and --version
    app_->exit(mistake, text);
    return text.str();
  }
  if (has_commands(*app_) && app_->get_subcommands().empty()) {
    throw UsageError("no command was given; the valid ones are " + command_names(*app_));
  }
  return "";
}

}  // namespace postage
