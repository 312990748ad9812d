#include "tuning/emit/targets.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>

namespace postage {
namespace {

constexpr std::int64_t kMostIntel = std::numeric_limits<std::int32_t>::max();

std::string intel_name(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string adjustment_of(const EmittedBlocks& made, Collective collective) {
  std::string value;
  for (const EmittedBlock& block : made.blocks) {
    for (const EmittedRange& range : block.ranges) {
      const Bytes last = std::min<Bytes>(range.bytes.last, kMostIntel);
      if (range.rule == nullptr || range.bytes.first > last) {
        continue;
      }
      const std::string sizes = collective == Collective::kBarrier ? fmt::format("0-{}", kMostIntel)
                                                                   : fmt::format("{}-{}", range.bytes.first, last);
      value += fmt::format("{}{}:{}@{}-{}", value.empty() ? "" : ";", range.algorithm->number, sizes, block.ranks.first,
                           block.ranks.last);
    }
  }
  return value;
}

}  // namespace

EmittedTarget emit_intel_mpi(const DecisionTable& table) {
  if (table.version() < LibraryVersion{2021, 0, 0} || table.version() >= LibraryVersion{2021, 13, 0}) {
    throw UsageError(fmt::format(
        "Intel MPI {} has other numbers for its algorithms than are known here: settings are written for 2021 "
        "to 2021.12",
        format_version(table.version())));
  }
  EmittedTarget target;
  std::string lines = "# Settings of Intel MPI, for every number of nodes that has rules.\n";
  for (const NodeRules& part : rules_by_nodes(table)) {
    lines += fmt::format("# {} nodes{}\n", part.nodes.first, part.nodes.last == part.nodes.first ? "" : " and more");
    for (const Collective collective : collectives_of(part.rules)) {
      const EmittedBlocks made = emitted_blocks(table, part.rules, collective);
      target.notes.insert(target.notes.end(), made.notes.begin(), made.notes.end());
      const std::string value = adjustment_of(made, collective);
      if (!value.empty()) {
        target.settings.push_back({part.nodes, "I_MPI_ADJUST_" + intel_name(name_of(collective)), value});
        lines += fmt::format("export I_MPI_ADJUST_{}=\"{}\"\n", intel_name(name_of(collective)), value);
      }
    }
  }
  if (target.settings.empty()) {
    target.installation.push_back("There are no rules: nothing is to be installed.");
    return target;
  }
  const bool is_one = rules_by_nodes(table).size() <= 1;
  if (is_one) {
    target.files.push_back({"intel/adjust.sh", lines});
  }
  target.installation.push_back(
      "Intel MPI: source env.sh, or add its I_MPI_ADJUST_ lines to the site's modulefile. I_MPI_DEBUG=6 prints the "
      "values "
      "that are in force.");
  return target;
}

}  // namespace postage
