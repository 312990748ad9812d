#include "cli/tuning/write_tuned.hpp"

#include "cli/options/remark.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/text.hpp>
#include <postage/base/units.hpp>
#include <postage/tuning/emit.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace postage {
namespace {

std::string wanted_of(const DecisionRule& rule) {
  std::string text = rule.choice.library_name;
  text += rule.choice.segment != 0 ? fmt::format(", segment {}", rule.choice.segment) : "";
  for (const auto& [name, value] : rule.choice.parameters) {
    text += fmt::format(", {} {}", name, value);
  }
  return text;
}

std::string wanted_of(const ProofCall& call) {
  return call.is_beside ? "none: the library's default" : wanted_of(*call.rule);
}

bool is_installed(const DecisionTable& table) {
  const std::optional<LibraryVersion> here = installed_version(table.target());
  return here && here->major == table.version().major && here->minor == table.version().minor;
}

/// Those whose library reads files that are known; the others are said.
std::vector<DecisionTable> tables_with_files(std::span<const DecisionTable> tables) {
  std::vector<DecisionTable> known;
  for (const DecisionTable& table : tables) {
    if (table.target() == TuningTarget::kSmpi || table.target() == TuningTarget::kPreload) {
      continue;
    }
    try {
      (void)emit({&table, 1});
      known.push_back(table);
    } catch (const UsageError& reason) {
      print_remark("postage: no files for {}: {}\n", name_of(table.target()), reason.what());
    }
  }
  return known;
}

/// How many rows are not in force.
std::size_t prove_table(const DecisionTable& table, const std::filesystem::path& folder) {
  const std::vector<ProofRow> rows = prove(table, folder);
  std::vector<ProofRow> missing;
  std::ranges::copy_if(rows, std::back_inserter(missing),
                       [](const ProofRow& row) { return row.verdict == ProofVerdict::kNotInForce; });
  const auto tried =
      std::ranges::count_if(rows, [](const ProofRow& row) { return row.verdict != ProofVerdict::kNotTried; });
  if (tried == 0) {
    print_remark("postage: {}: which algorithm runs can be tried for none of its rules here\n",
                 name_of(table.target()));
    return 0;
  }
  print_remark(
      "postage: {}: {} of {} calls that were tried ran the rule's algorithm, or the default where no rule holds\n",
      name_of(table.target()), static_cast<std::size_t>(tried) - missing.size(), tried);
  if (!missing.empty()) {
    print_remark("{}", proof_table(missing, table.target()));
  }
  return missing.size();
}

}  // namespace

std::string proof_table(const std::vector<ProofRow>& rows, TuningTarget target) {
  Table table({{"library"},
               {"collective"},
               {"ranks", Table::Align::kRight},
               {"bytes", Table::Align::kRight},
               {"rule"},
               {"ran"},
               {"verdict"},
               {"reason"}});
  for (const ProofRow& row : rows) {
    table.add_row({std::string(name_of(target)), std::string(name_of(row.call.rule->collective)),
                   std::to_string(row.call.ranks), format_bytes(row.call.bytes), wanted_of(row.call), row.seen,
                   std::string(name_of(row.verdict)), row.reason});
  }
  return table.render(output_width());
}

Json proof_json(const ProofRow& row, TuningTarget target) {
  return {{"target", name_of(target)},       {"collective", name_of(row.call.rule->collective)},
          {"ranks", row.call.ranks},         {"bytes", row.call.bytes},
          {"wanted", wanted_of(row.call)},   {"seen", row.seen},
          {"verdict", name_of(row.verdict)}, {"reason", row.reason}};
}

void write_tuned(std::span<const DecisionTable> tables, const std::filesystem::path& folder) {
  const std::vector<DecisionTable> known = tables_with_files(tables);
  if (known.empty()) {
    return;
  }
  EmitOptions options{.folder = std::filesystem::absolute(folder).lexically_normal().string()};
  if (options.folder.ends_with('/')) {
    options.folder.pop_back();
  }
  for (const DecisionTable& table : known) {
    if (!is_installed(table)) {
      options.not_tried.push_back(table.target());
    }
  }
  const EmittedFiles emitted = emit(known, options);
  for (const EmittedFile& file : emitted.files) {
    write_file(folder / file.path, file.text);
  }
  for (const std::string& note : emitted.notes) {
    print_remark("postage: {}\n", note);
  }
  print_remark("postage: source {} to use the rules; {}/README.md says how to install them\n",
               shell_word(options.folder + "/env.sh"), options.folder);
  std::size_t missing = 0;
  for (const DecisionTable& table : known) {
    missing += is_installed(table) && !table.rules().empty() ? prove_table(table, folder) : 0;
  }
  if (missing > 0) {
    throw Error(fmt::format("{} rule{} not in force: see above, and postage prove {}", missing,
                            missing == 1 ? " is" : "s are", shell_word(options.folder)));
  }
}

}  // namespace postage
