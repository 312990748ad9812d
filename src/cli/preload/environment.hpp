#pragma once

#include <string>
#include <string_view>

namespace postage {

// What the preload library would say of its variables and do without, once the program runs: refused before it starts.

/// Throws UsageError or Error where `file`, which `option` names, holds no decisions for the preload library.
void check_decisions(std::string_view option, const std::string& file);

/// The same of a schedule file.
void check_schedule(std::string_view option, const std::string& file);

/// Throws UsageError or Error for the first variable of the environment that the preload library would not take.
void check_environment();

}  // namespace postage
