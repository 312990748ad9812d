#include "cli/commands.hpp"
#include "cli/options/remark.hpp"
#include "cli/tuning/write_tuned.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/base/units.hpp>
#include <postage/tuning/proof.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace postage {
namespace {

namespace fs = std::filesystem;

struct ProveOptions {
  std::string folder;
  int ranks = 4;
  std::string bytes = "1M";
  std::string time_limit = "120s";
  bool json = false;
};

std::vector<fs::path> decision_files(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw UsageError(fmt::format("{} is no folder: name one that postage emit or postage tune wrote", folder.string()));
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("decisions-") && name.ends_with(".json")) {
      files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    throw UsageError(
        fmt::format("there is no decisions-TARGET.json in {}: name a folder that postage emit or postage tune wrote",
                    folder.string()));
  }
  std::ranges::sort(files);
  return files;
}

void run_prove(const ProveOptions& options) {
  const ProofLimits limits{.most_ranks = options.ranks,
                           .most_bytes = parse_bytes(options.bytes),
                           .time_limit = parse_seconds(options.time_limit)};
  Json all = Json::array();
  std::size_t missing = 0;
  for (const fs::path& file : decision_files(options.folder)) {
    const DecisionTable table = read_decisions(file);
    if (table.target() != TuningTarget::kOpenMpi && table.target() != TuningTarget::kMpich) {
      print_remark("{}: not tried, since nothing here sees which algorithm runs\n", name_of(table.target()));
      continue;
    }
    const std::vector<ProofRow> rows = prove(table, options.folder, limits);
    for (const ProofRow& row : rows) {
      missing += row.verdict == ProofVerdict::kNotInForce ? 1 : 0;
      all.push_back(proof_json(row, table.target()));
    }
    if (!options.json) {
      std::cout << proof_table(rows, table.target());
    }
  }
  if (options.json) {
    std::cout << all.dump(1) << "\n";
  }
  if (missing > 0) {
    std::cout.flush();
    throw Error(fmt::format("{} case{} not in force", missing, missing == 1 ? " is" : "s are"));
  }
}

}  // namespace

void add_prove_command(Command& app) {
  Command command = app.subcommand("prove", "Run every rule of tuned files once and say which algorithm really ran");
  const auto options = std::make_shared<ProveOptions>();
  command.option("folder", options->folder, "Folder that postage emit or postage tune wrote").required();
  command.option("-n,--ranks", options->ranks, "Most ranks to start; rules for more are not tried")
      .range(2, 1024)
      .with_default();
  command.option("--bytes", options->bytes, "Largest message of a rank").with_default();
  command.option("--time-limit", options->time_limit, "Longest time of a library's job, in which a deadlock is found")
      .with_default();
  command.flag("--json", options->json, "Print JSON");
  command.footer(
      "Open MPI: a tracer between libmpi and coll/tuned, which also sees segments and fan-outs.\n"
      "MPICH: a program linked to libmpich.a with every algorithm wrapped. The settings are those\n"
      "of env.sh. The exit status is 1 where a rule is not in force.\n\n"
      "Example:\n  postage prove tuned/ -n 4");
  command.action([options] { run_prove(*options); });
}

}  // namespace postage
