#include "tuning/emit/targets.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <string>

namespace postage {
namespace {

std::string ucc_end(std::int64_t last, std::int64_t open) {
  return last == open ? "inf" : std::to_string(last);
}

/// A token for each range with a rule: ranges of sizes without their end, of team sizes with it.
std::string tokens_of(const DecisionTable& table, const NodeRules& part, std::vector<std::string>& notes) {
  std::string tokens;
  for (const Collective collective : collectives_of(part.rules)) {
    const EmittedBlocks made = emitted_blocks(table, part.rules, collective);
    notes.insert(notes.end(), made.notes.begin(), made.notes.end());
    for (const EmittedBlock& block : made.blocks) {
      for (const EmittedRange& range : block.ranges) {
        if (range.rule == nullptr) {
          continue;
        }
        const std::int64_t end =
            range.bytes.last == std::numeric_limits<Bytes>::max() ? range.bytes.last : range.bytes.last + 1;
        tokens += fmt::format("{}{}:{}-{}:host:[{}-{}]:@{}", tokens.empty() ? "" : "#", name_of(collective),
                              range.bytes.first, ucc_end(end, std::numeric_limits<Bytes>::max()), block.ranks.first,
                              ucc_end(block.ranks.last, std::numeric_limits<Rank>::max()), range.algorithm->name);
      }
    }
  }
  return tokens;
}

}  // namespace

EmittedTarget emit_ucc(const DecisionTable& table) {
  if (table.version() < LibraryVersion{1, 0, 0} || table.version() >= LibraryVersion{3, 0, 0}) {
    throw UsageError(fmt::format("what UCC {} reads is not known: its files are written for 1 and 2",
                                 format_version(table.version())));
  }
  EmittedTarget target;
  std::string conf;
  for (const NodeRules& part : rules_by_nodes(table)) {
    const std::string tokens = tokens_of(table, part, target.notes);
    if (tokens.empty()) {
      continue;
    }
    const bool is_all = part.nodes.first == 1 && part.nodes.last == std::numeric_limits<std::int32_t>::max();
    const std::string last = ucc_end(part.nodes.last, std::numeric_limits<std::int32_t>::max());
    conf += is_all ? "" : fmt::format("[nnodes={}-{}]\n", part.nodes.first, last);
    conf += fmt::format("UCC_TL_UCP_TUNE = {}\n\n", tokens);
    target.settings.push_back({part.nodes, "UCC_TL_UCP_TUNE", tokens});
  }
  if (conf.empty()) {
    target.installation.push_back("There are no rules: nothing is to be installed.");
    return target;
  }
  target.files.push_back({"ucc/ucc.conf", conf});
  target.installation.push_back(
      "UCC, for all users: add the lines of ucc/ucc.conf to $UCC_PREFIX/share/ucc.conf, or set UCC_CONFIG_FILE. "
      "Variables of "
      "the environment win over the file. Open MPI uses UCC with OMPI_MCA_coll_ucc_enable=1 and "
      "OMPI_MCA_coll_ucc_priority=100; UCC_LOG_LEVEL=info prints the score map with the algorithms.");
  return target;
}

}  // namespace postage
