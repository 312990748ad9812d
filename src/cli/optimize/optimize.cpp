#include "cli/commands.hpp"
#include "cli/optimize/subcommands.hpp"

namespace postage {

void add_optimize_command(Command& app) {
  Command command =
      app.subcommand("optimize", "Find what makes a program's messages faster on a platform: trees, mappings");
  command.require_subcommand();
  add_optimize_tree(command);
  add_optimize_mapping(command);
  command.footer(
      "Examples:\n"
      "  postage optimize tree scatterv --platform platform.json --counts counts.txt -o tree.json\n"
      "  postage predict scatterv --schedule tree.json --platform platform.json\n"
      "  postage optimize mapping --platform cluster.json --pattern 2d-halo --nodes 64 --per-node 8 -m 64K -o ranks");
}

}  // namespace postage
