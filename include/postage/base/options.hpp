#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace postage {

/// An option or positional argument of a command, and what its values must satisfy. Command owns it.
class Option {
 public:
  Option& required();
  /// Prints the variable's present value in the help.
  Option& with_default();
  /// Numbers from `least` to `most`, both included.
  Option& range(double least, double most);
  Option& positive();
  Option& one_of(const std::vector<std::string>& choices);
  /// Lists: "1,2,3" is three values.
  Option& comma_separated();
  /// Lists: one value each time the option is given, so that a positional argument may follow.
  Option& one_at_a_time();

 private:
  friend class Command;
  enum class Number { kInteger, kUnsigned, kReal };
  explicit Option(CLI::Option* option, Number number = Number::kInteger) : option_(option), number_(number) {}

  CLI::Option* option_;
  Number number_;
};

/// What the help says of an option or of a positional argument.
struct OptionDescription {
  std::vector<std::string> names;      ///< "-o", "--output"; of a positional argument its name alone
  std::string value{};                 ///< "TEXT", "INT", "FLOAT"; empty for a flag
  std::vector<std::string> choices{};  ///< where only these are valid
  std::string default_value{};         ///< empty where none is printed
  std::string help{};
  bool is_positional = false;
  bool is_required = false;
};

/// A command as its help describes it; hidden ones are in no description.
struct CommandDescription {
  std::string name;
  std::string summary{};
  std::vector<OptionDescription> options{};
  std::vector<CommandDescription> commands{};
  std::string footer{};  ///< examples
};

/// A command with options and sub-commands; the only place that includes the parsing library, whose headers take
/// seconds to compile. Variables and actions are used by CommandLine::parse: they must live until then. `names` are
/// like
/// "-o,--output", or "samples" for a positional argument.
class Command {
 public:
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::int32_t& value, const std::string& help);
  Option option(const std::string& names, std::int64_t& value, const std::string& help);
  Option option(const std::string& names, std::size_t& value, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option option(const std::string& names, std::vector<std::int64_t>& values, const std::string& help);
  /// True where the flag is given.
  void flag(const std::string& names, bool& value, const std::string& help);

  /// Text below the list of options: examples.
  void footer(const std::string& text);
  Command subcommand(const std::string& name, const std::string& summary);
  /// A sub-command that the help does not list.
  Command hidden_subcommand(const std::string& name);
  void require_subcommand();
  /// What the command does once its options are read.
  void action(std::function<void()> run);

  // Options that would be ignored are refused before the action runs. Options are named like "--seconds"; positional
  // arguments by their name.
  /// Those that mean something only with one of `others`.
  void only_with(const std::vector<std::string>& others, const std::vector<std::string>& options);
  /// Those that mean nothing with `other`, whatever its value.
  void not_with(const std::string& other, const std::vector<std::string>& options);
  /// Options and commands added so far.
  [[nodiscard]] CommandDescription description() const;

 protected:
  using Rule = std::function<void(const CLI::App&)>;  ///< throws UsageError

  explicit Command(CLI::App* app) : app_(app), rules_(std::make_shared<std::vector<Rule>>()) {}

  CLI::App* app_;
  std::shared_ptr<std::vector<Rule>> rules_;
};

/// The words after a program's name.
class CommandLine : public Command {
 public:
  CommandLine(const std::string& program, const std::string& summary);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// --version prints this text.
  void version(const std::string& text);

  /// Reads the words, fills the variables and runs the actions of the commands named. Returns the text that --help or
  /// --version asked for, empty otherwise. Throws UsageError for an invalid command line, naming the word and the help
  /// that explains it; what an action throws passes through.
  [[nodiscard]] std::string parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> owned_;
};

}  // namespace postage
