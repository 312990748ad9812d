#pragma once

#include <CLI/CLI.hpp>

// One function per command: it adds the command with its options, an example in its footer and a callback that does
// the work. The callback throws UsageError or Error; main.cpp turns them into one sentence and an exit status.
namespace postage {

void add_doctor_command(CLI::App& app);

}  // namespace postage
