#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/units.hpp>
#include <postage/tuning/emit.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace postage {
namespace {

namespace fs = std::filesystem;

struct EmitCommandOptions {
  std::vector<std::string> decisions;
  std::vector<std::string> targets;
  std::string output;
  std::string eager_limit;
  bool force = false;
};

/// "openmpi@5.0.7", or with a colon as tune has it; without a release the table's own, or the one that is installed.
struct EmitTarget {
  TuningTarget target;
  std::optional<LibraryVersion> version;
};

EmitTarget emit_target_of(const std::string& word) {
  const auto at = word.find_first_of("@:");
  EmitTarget target{parse_tuning_target(word.substr(0, at)), {}};
  if (at != std::string::npos) {
    target.version = parse_library_version(word.substr(at + 1));
  }
  return target;
}

LibraryVersion usual_release(TuningTarget target) {
  if (const auto here = installed_version(target)) {
    return *here;
  }
  switch (target) {
    case TuningTarget::kUcc:
      return {1, 3, 0};
    case TuningTarget::kIntelMpi:
      return {2021, 10, 0};
    default:
      throw UsageError(
          fmt::format("no {} is installed here: name a release, like {}@5.0.7", name_of(target), name_of(target)));
  }
}

/// The table that was made for the target, or the first one, said in the target's words.
DecisionTable table_for(const EmitTarget& wanted, const std::vector<DecisionTable>& tables) {
  const auto own = std::ranges::find(tables, wanted.target, &DecisionTable::target);
  const DecisionTable& source = own == tables.end() ? tables.front() : *own;
  const LibraryVersion version = wanted.version        ? *wanted.version
                                 : own != tables.end() ? own->version()
                                                       : usual_release(wanted.target);
  return retarget(source, wanted.target, version);
}

EagerLimits parse_eager(const std::string& text) {
  EagerLimits limits;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.starts_with("intra=")) {
      limits.shared_memory = parse_bytes(word.substr(6));
    } else if (word.starts_with("inter=")) {
      limits.network = parse_bytes(word.substr(6));
    } else {
      throw UsageError(fmt::format("--eager-limit {}: valid are intra=SIZE and inter=SIZE", word));
    }
  }
  return limits;
}

std::vector<DecisionTable> tables_to_emit(const EmitCommandOptions& options) {
  std::vector<DecisionTable> tables;
  for (const std::string& file : options.decisions) {
    tables.push_back(read_decisions(file));
  }
  if (options.targets.empty()) {
    return tables;
  }
  std::vector<DecisionTable> wanted;
  for (const std::string& word : options.targets) {
    wanted.push_back(table_for(emit_target_of(word), tables));
  }
  return wanted;
}

void check_new(const EmittedFiles& emitted, const EmitCommandOptions& options) {
  for (const EmittedFile& file : emitted.files) {
    if (!options.force && fs::exists(fs::path(options.output) / file.path)) {
      throw UsageError(fmt::format("{} exists: name another folder with -o, or replace it with --force",
                                   (fs::path(options.output) / file.path).string()));
    }
  }
}

void run_emit(const EmitCommandOptions& options) {
  check_output_folder("-o", options.output);
  const std::vector<DecisionTable> tables = tables_to_emit(options);
  EmitOptions how{.folder = fs::absolute(options.output).lexically_normal().string(),
                  .eager_limits = parse_eager(options.eager_limit)};
  if (how.folder.ends_with('/')) {
    how.folder.pop_back();
  }
  for (const DecisionTable& table : tables) {
    if (installed_version(table.target()) != table.version()) {
      how.not_tried.push_back(table.target());
    }
  }
  const EmittedFiles emitted = emit(tables, how);
  check_new(emitted, options);
  for (const EmittedFile& file : emitted.files) {
    write_file(fs::path(options.output) / file.path, file.text);
    fmt::print("wrote {}\n", (fs::path(options.output) / file.path).string());
  }
  for (const std::string& note : emitted.notes) {
    fmt::print("note: {}\n", note);
  }
  for (const DecisionTable& table : tables) {
    for (const DroppedRule& dropped : table.dropped) {
      fmt::print("left out for {}: {} of {}: {}\n", name_of(table.target()), dropped.rule.choice.algorithm,
                 name_of(dropped.rule.collective), dropped.reason);
    }
  }
}

}  // namespace

void add_emit_command(Command& app) {
  Command command = app.subcommand("emit", "Write tuning files of MPI libraries from decision tables");
  const auto options = std::make_shared<EmitCommandOptions>();
  command.option("decisions", options->decisions, "Decision tables that postage tune wrote, one a library").required();
  command
      .option("--for", options->targets,
              "Libraries and releases, like openmpi@5.0.7,mpich@4.2,ucc,intel; else those of the tables")
      .comma_separated();
  command.option("-o,--output", options->output, "Folder to write into").required();
  command.option("--eager-limit", options->eager_limit,
                 "Also set where messages stop being eager: intra=SIZE,inter=SIZE");
  command.flag("--force", options->force, "Replace files that exist");
  command.footer(
      "A table for one library is said in the words of another where both have the algorithm; what\n"
      "is left out is printed. The folder's README says how to install the files for all users,\n"
      "postage lint checks them, and postage prove runs them.\n\n"
      "Example:\n  postage emit decisions.json --for openmpi@4.1.4,ucc -o tuned/");
  command.action([options] { run_emit(*options); });
}

}  // namespace postage
