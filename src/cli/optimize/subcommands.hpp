#pragma once

#include <postage/base/options.hpp>

namespace postage {

// One function per subcommand of optimize: it adds the subcommand as those of commands.hpp add commands.
void add_optimize_tree(Command& optimize);
void add_optimize_mapping(Command& optimize);

}  // namespace postage
