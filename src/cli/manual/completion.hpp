#pragma once

#include <postage/base/options.hpp>

#include <string>

namespace postage {

/// Scripts that complete the program's commands, options and values in a shell; names of files where an option's valid
/// values are not known.
[[nodiscard]] std::string bash_completion(const CommandDescription& program);
[[nodiscard]] std::string zsh_completion(const CommandDescription& program);
[[nodiscard]] std::string fish_completion(const CommandDescription& program);

}  // namespace postage
