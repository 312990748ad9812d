#pragma once

#include <postage/base/options.hpp>

#include <string>

namespace postage {

/// The manual page of the whole program, postage(1): its commands and what holds for all of them.
[[nodiscard]] std::string program_page(const CommandDescription& program, const std::string& version);

/// The manual page of one of its commands, postage-COMMAND(1).
[[nodiscard]] std::string command_page(const CommandDescription& program, const CommandDescription& command,
                                       const std::string& version);

}  // namespace postage
