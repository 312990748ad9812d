#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/papers/pages.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace postage {
namespace {

struct PaperCommand {
  std::string paper;
  std::vector<std::string> tables;
  std::vector<std::string> figures;
  std::vector<std::string> exhibits;
  std::string output;
  bool all = false;
  bool json = false;
};

ExhibitSelection selection_of(const PaperCommand& options) {
  ExhibitSelection selection{.ids = options.exhibits, .all = options.all};
  for (const std::string& table : options.tables) {
    selection.ids.push_back("table-" + table);
  }
  for (const std::string& figure : options.figures) {
    selection.ids.push_back("figure-" + figure);
  }
  return selection;
}

void run(const PaperCommand& options) {
  check_output_folder("--output", options.output);
  const ExhibitSelection selection = selection_of(options);
  if (options.all && !selection.ids.empty()) {
    throw UsageError("--all runs every exhibit: leave out --table, --figure and --exhibit");
  }
  const PaperRun run = run_paper(find_paper(options.paper), selection,
                                 {.tell = [](const std::string& line) { print_remark("{}\n", line); }});
  if (!options.output.empty()) {
    write_pages(run, options.output);
  }
  if (options.json) {
    fmt::print("{}\n", to_json(run).dump(1));
    return;
  }
  fmt::print("{}", text_of(run));
  if (!options.output.empty()) {
    fmt::print("wrote {}/{}.md\n", options.output, options.paper);
  }
}

}  // namespace

void add_paper_command(Command& app) {
  Command command = app.subcommand("paper", "Run a paper's evaluation: what it prints beside what comes out here");
  const auto options = std::make_shared<PaperCommand>();
  command.option("paper", options->paper, "tu, rico-gallego, chai, lastovetsky or ali").required();
  command.option("--table", options->tables, "Only this table; may be repeated").one_at_a_time();
  command.option("--figure", options->figures, "Only this figure; may be repeated").one_at_a_time();
  command
      .option("--exhibit", options->exhibits,
              "Only this, by its name in the output, like equation-8 or claim-4.1; may be repeated")
      .one_at_a_time();
  command.flag("--all", options->all,
               "Also what must be simulated or measured, which takes seconds to minutes; by default only what is "
               "computed is run, and the rest is listed with the time it takes");
  command.option("-o,--output", options->output, "Folder for the page, NAME.md, with its drawings in images/");
  command.flag("--json", options->json, "Print the result as JSON");
  command.footer(
      "Examples:\n"
      "  postage paper lastovetsky\n"
      "  postage paper chai --figure 6\n"
      "  postage paper tu --all -o docs/papers");
  command.action([options] { run(*options); });
}

}  // namespace postage
