#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A command of a script, without comments: a line, several that end in '\', or one of those that stand on a line with
/// ';' or "&&" between them.
struct ShellCommand {
  std::string text{};
  int line = 1;
  bool is_indented = false;
};

/// Where ';' is part of a value that nobody quoted, the command goes on behind it.
[[nodiscard]] std::vector<ShellCommand> shell_commands(std::string_view text);

/// Words with their quotes.
[[nodiscard]] std::vector<std::string> shell_words(std::string_view command);

/// Without white space at both ends.
[[nodiscard]] std::string trimmed(std::string_view text);

}  // namespace postage
