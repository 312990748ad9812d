#include "tuning/emit/targets.hpp"
#include "tuning/lint/openmpi/rules_file.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace postage {
namespace {

constexpr LibraryVersion kOldestOpenMpi{4, 0, 0};
constexpr LibraryVersion kHanIsPreferredSince{5, 0, 0};
constexpr LibraryVersion kUnknownOpenMpi{8, 0, 0};
constexpr Bytes kOpenEnd = std::numeric_limits<Bytes>::max();
constexpr Rank kOpenRanks = std::numeric_limits<Rank>::max();

/// A collective's blocks, with their notes handed on.
struct NamedBlocks {
  Collective collective;
  std::vector<EmittedBlock> blocks;
};

std::vector<NamedBlocks> all_blocks(const DecisionTable& table, const NodeRules& part,
                                    std::vector<std::string>& notes) {
  std::vector<NamedBlocks> all;
  for (const Collective collective : collectives_of(part.rules)) {
    EmittedBlocks made = emitted_blocks(table, part.rules, collective);
    notes.insert(notes.end(), made.notes.begin(), made.notes.end());
    // Communicators of one rank are coll/self's.
    std::erase_if(made.blocks, [](const EmittedBlock& block) { return block.ranks.last < 2; });
    made.blocks.front().ranks.first = 2;
    all.push_back({collective, std::move(made.blocks)});
  }
  return all;
}

std::string comment_of(const EmittedRange& range) {
  return range.rule == nullptr ? "built-in decision" : std::string(range.algorithm->name);
}

std::string rule_line(const EmittedRange& range, bool has_requests) {
  const int number = range.rule == nullptr ? 0 : range.algorithm->number;
  return fmt::format("{} {} {} {}{}    # {}\n", range.bytes.first, number, fan_out_of(range), segment_of(range),
                     has_requests ? " 0" : "", comment_of(range));
}

std::string text_rules(const std::vector<NamedBlocks>& all, const LibraryVersion& version) {
  const bool has_requests = version >= kVersionTwoSince;
  std::string text = has_requests ? fmt::format("{}2\n", kRuleVersionLine) : "";
  text += fmt::format("{}    # collectives\n", all.size());
  for (const NamedBlocks& section : all) {
    text +=
        fmt::format("{} {}    # {}: its number, communicator sizes\n", open_mpi_collective(name_of(section.collective)),
                    section.blocks.size(), name_of(section.collective));
    for (const EmittedBlock& block : section.blocks) {
      text += fmt::format("{} {}    # ranks from here on; message size, algorithm, fan-out, segment{}\n",
                          block.ranks.first, block.ranges.size(), has_requests ? ", requests" : "");
      for (const EmittedRange& range : block.ranges) {
        text += rule_line(range, has_requests);
      }
    }
  }
  return text;
}

std::string json_rule(const EmittedRange& range) {
  std::string rule = "{";
  if (range.bytes.first > 0) {
    rule += fmt::format("\"msg_size_min\": {}, ", range.bytes.first);
  }
  if (range.bytes.last < kOpenEnd) {
    rule += fmt::format("\"msg_size_max\": {}, ", range.bytes.last);
  }
  rule += range.rule == nullptr ? "\"alg\": 0" : fmt::format("\"alg\": \"{}\"", range.algorithm->name);
  if (fan_out_of(range) != 0) {
    rule += fmt::format(", \"faninout\": {}", fan_out_of(range));
  }
  if (segment_of(range) != 0) {
    rule += fmt::format(", \"seg_size\": {}", segment_of(range));
  }
  return rule + "}";
}

/// Open MPI 6 tells communicators on one node, and those with one rank on each of theirs, from others.
constexpr std::string_view kOnOneNode = "\"comm_rank_distribution\": \"single-node\", ";

std::string_view distribution_of(const Span<std::int32_t>& nodes) {
  return nodes.last == 1 ? kOnOneNode : "";
}

std::string json_block(const EmittedBlock& block, std::string_view distribution) {
  std::string text = fmt::format("   {{{}\"comm_size_min\": {}, ", distribution, block.ranks.first);
  if (block.ranks.last < kOpenRanks) {
    text += fmt::format("\"comm_size_max\": {}, ", block.ranks.last);
  }
  text += "\"rules\": [";
  for (std::size_t i = 0; i < block.ranges.size(); ++i) {
    text += (i == 0 ? "\n     " : ",\n     ") + json_rule(block.ranges[i]);
  }
  return text + "]}";
}

using JsonSections = std::vector<std::pair<Collective, std::vector<std::string>>>;

std::string json_rules(const JsonSections& sections) {
  std::string text = "{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {";
  for (std::size_t i = 0; i < sections.size(); ++i) {
    text += fmt::format("{}\n \"{}\": [", i == 0 ? "" : ",", name_of(sections[i].first));
    for (std::size_t j = 0; j < sections[i].second.size(); ++j) {
      text += (j == 0 ? "\n" : ",\n") + sections[i].second[j];
    }
    text += "]";
  }
  return text + "}}\n";
}

/// One file: entries for a single node stand before those for all.
std::string json_of(const DecisionTable& table, const std::vector<NodeRules>& parts, std::vector<std::string>& notes) {
  JsonSections sections;
  const NodeRules* several = nullptr;
  for (const NodeRules& part : parts) {
    if (part.nodes.last > 1 && several != nullptr) {
      notes.push_back(
          fmt::format("openmpi: rules for {} nodes and more are left out, since a file of Open MPI 6 does not "
                      "tell numbers of nodes apart",
                      part.nodes.first));
      continue;
    }
    several = part.nodes.last > 1 ? &part : several;
    for (const NamedBlocks& section : all_blocks(table, part, notes)) {
      auto found = std::ranges::find(sections, section.collective, &JsonSections::value_type::first);
      if (found == sections.end()) {
        found = sections.insert(sections.end(), {section.collective, {}});
        if (part.nodes.first > 1) {
          // Entries for all would hold on a single node, too.
          found->second.push_back(json_block({{2, kOpenRanks}, {EmittedRange{{0, kOpenEnd}}}}, kOnOneNode));
        }
      }
      for (const EmittedBlock& block : section.blocks) {
        found->second.push_back(json_block(block, distribution_of(part.nodes)));
      }
    }
  }
  return json_rules(sections);
}

/// HAN takes collectives on several nodes from coll/tuned: where there are rules, it hands them back.
std::string han_rules(const DecisionTable& table, const NodeRules& part) {
  const std::vector<Collective> collectives = collectives_of(part.rules);
  std::string sections;
  int count = 0;
  for (const Collective collective : collectives) {
    if (collective == Collective::kScan || collective == Collective::kExscan ||
        collective == Collective::kReduceScatter) {
      continue;
    }
    ++count;
    sections += fmt::format("{} 1\nglobal_communicator", name_of(collective));
    std::string sizes;
    int blocks = 0;
    for (const EmittedBlock& block : emitted_blocks(table, part.rules, collective).blocks) {
      ++blocks;
      sizes += fmt::format("{} {}\n", block.ranks.first, block.ranges.size());
      for (const EmittedRange& range : block.ranges) {
        const Bytes bytes = range.bytes.first /
                            std::max<Bytes>(1, library_bytes(TuningTarget::kOpenMpi, collective, block.ranks.first, 1));
        sizes += fmt::format("{} {}\n", range.bytes.first == 0 ? 0 : bytes, range.rule == nullptr ? "han" : "tuned");
      }
    }
    sections += fmt::format(" {}\n{}", blocks, sizes);
  }
  return count == 0 ? "" : fmt::format("{}    # collectives\n{}", count, sections);
}

void add_text(EmittedTarget& target, const DecisionTable& table, const std::vector<NodeRules>& parts) {
  for (const NodeRules& part : parts) {
    const std::string name = fmt::format("openmpi/rules{}.conf", parts.size() == 1 ? "" : nodes_suffix(part.nodes));
    target.files.push_back({name, text_rules(all_blocks(table, part, target.notes), table.version())});
    target.settings.push_back({part.nodes, "OMPI_MCA_coll_tuned_dynamic_rules_filename", "@/" + name});
  }
}

void add_han(EmittedTarget& target, const DecisionTable& table, const std::vector<NodeRules>& parts) {
  for (const NodeRules& part : parts) {
    const std::string text = part.nodes.last > 1 ? han_rules(table, part) : "";
    if (!text.empty()) {
      const std::string name = fmt::format("openmpi/han{}.conf", parts.size() == 1 ? "" : nodes_suffix(part.nodes));
      target.files.push_back({name, text});
      target.settings.push_back({part.nodes, "OMPI_MCA_coll_han_use_dynamic_file_rules", "1"});
      target.settings.push_back({part.nodes, "OMPI_MCA_coll_han_dynamic_rules_filename", "@/" + name});
    }
  }
}

}  // namespace

EmittedTarget emit_open_mpi(const DecisionTable& table) {
  const LibraryVersion& version = table.version();
  if (version < kOldestOpenMpi || version >= kUnknownOpenMpi) {
    throw UsageError(fmt::format("what Open MPI {} reads is not known: its files are written for 4.0 to 7",
                                 format_version(version)));
  }
  EmittedTarget target;
  const std::vector<NodeRules> parts = rules_by_nodes(table);
  if (parts.empty()) {
    target.installation.push_back("There are no rules: nothing is to be installed.");
    return target;
  }
  target.settings.push_back({{1}, "OMPI_MCA_coll_tuned_use_dynamic_rules", "1"});
  if (version >= kFirstMatchSince) {
    target.files.push_back({"openmpi/rules.json", json_of(table, parts, target.notes)});
    target.settings.push_back({{1}, "OMPI_MCA_coll_tuned_dynamic_rules_filename", "@/openmpi/rules.json"});
  } else {
    add_text(target, table, parts);
  }
  if (version >= kHanIsPreferredSince) {
    add_han(target, table, parts);
  }
  std::ranges::sort(target.notes);
  target.notes.erase(std::ranges::unique(target.notes).begin(), target.notes.end());
  target.installation.push_back(
      "Open MPI, for all users: copy the lines of openmpi/mca-params.conf into $PREFIX/etc/openmpi-mca-params.conf on "
      "every node "
      "(Debian: /etc/openmpi/openmpi-mca-params.conf), and keep the rules where they are, readable on every node. For "
      "one job: "
      "source env.sh. Without coll_tuned_use_dynamic_rules the rules are not read.");
  return target;
}

}  // namespace postage
