#include "cli/commands.hpp"
#include "cli/manual/completion.hpp"
#include "cli/manual/man_page.hpp"
#include "cli/manual/topics.hpp"
#include "cli/options/output_file.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/model/model.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

namespace postage {
namespace {

const CommandDescription* find_command(const CommandDescription& program, const std::string& name) {
  const auto found = std::find_if(program.commands.begin(), program.commands.end(),
                                  [&](const CommandDescription& command) { return command.name == name; });
  return found == program.commands.end() ? nullptr : &*found;
}

void print_topics() {
  Table table({{"topic"}, {"what it is about"}});
  for (const Topic& topic : topics()) {
    table.add_row({topic.name, topic.summary});
  }
  fmt::print("{}\npostage help TOPIC prints one of them; postage COMMAND --help describes a command.\n",
             table.render(output_width()));
}

void print_help(const CommandDescription& program, const std::string& topic) {
  if (topic.empty()) {
    print_topics();
    return;
  }
  const bool is_command = find_command(program, topic) != nullptr;
  try {
    fmt::print("{}", topic_page(topic));
  } catch (const UsageError&) {
    if (!is_command) {
      throw;
    }
  }
  if (is_command) {
    fmt::print("postage {} --help describes the command\n", topic);
  }
}

/// Values that a name stands for, wherever it stands.
void add_known_values(OptionDescription& option) {
  const std::string& name = option.names.back();
  std::vector<std::string> values;
  std::set<std::string> known;
  const auto add = [&](std::string value) {
    if (known.insert(value).second) {
      values.push_back(std::move(value));
    }
  };
  if (name == "collective" || name == "algorithm" || name == "--algorithm") {
    for (const Algorithm& algorithm : algorithms()) {
      add(std::string(name == "collective" ? name_of(algorithm.collective) : algorithm.name));
    }
  } else if (name == "--model" || name == "model") {
    for (const ModelDescriptor* model : models()) {
      add(std::string(model->name));
    }
  } else if (name == "topic") {
    for (const Topic& topic : topics()) {
      add(topic.name);
    }
  }
  if (option.choices.empty()) {
    option.choices = values;
  }
}

CommandDescription with_known_values(CommandDescription program) {
  for (CommandDescription& command : program.commands) {
    for (OptionDescription& option : command.options) {
      add_known_values(option);
    }
  }
  return program;
}

std::string completion_for(const std::string& shell, const CommandDescription& program) {
  const CommandDescription known = with_known_values(program);
  return shell == "bash" ? bash_completion(known) : shell == "zsh" ? zsh_completion(known) : fish_completion(known);
}

/// A page for the program and one for each of its commands, as postage.1 and postage-COMMAND.1.
void write_pages(const CommandDescription& program, const std::string& folder) {
  const std::filesystem::path path(folder);
  write_file(path / "postage.1", program_page(program, "postage " POSTAGE_VERSION));
  for (const CommandDescription& command : program.commands) {
    write_file(path / fmt::format("postage-{}.1", command.name),
               command_page(program, command, "postage " POSTAGE_VERSION));
  }
}

}  // namespace

void add_manual_commands(Command& app) {
  Command help = app.subcommand("help", "Explain a topic: models, trust, tuning and others");
  const auto topic = std::make_shared<std::string>();
  help.option("topic", *topic, "What to explain; all topics are listed where none is given");
  help.footer("Examples:\n  postage help\n  postage help models");
  help.action([app, topic] { print_help(app.description(), *topic); });

  Command completion = app.subcommand("completion", "Print a script that completes commands and options in a shell");
  const auto shell = std::make_shared<std::string>();
  completion.option("shell", *shell, "The shell").required().one_of({"bash", "zsh", "fish"});
  completion.footer(
      "make install puts these scripts where the shells look for them. Without:\n"
      "  source <(postage completion bash)\n"
      "  postage completion zsh > ~/.zfunc/_postage\n"
      "  postage completion fish > ~/.config/fish/completions/postage.fish");
  completion.action([app, shell] { fmt::print("{}", completion_for(*shell, app.description())); });

  Command pages = app.hidden_subcommand("manual-pages");
  const auto folder = std::make_shared<std::string>();
  pages.option("folder", *folder, "Folder to write postage.1 and a page for each command into").required();
  pages.action([app, folder] {
    check_output_folder("folder", *folder);
    write_pages(app.description(), *folder);
  });
}

}  // namespace postage
