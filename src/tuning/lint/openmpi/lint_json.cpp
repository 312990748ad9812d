#include "tuning/lint/formats.hpp"
#include "tuning/lint/json_text.hpp"
#include "tuning/lint/openmpi/rules_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>

namespace postage {
namespace {

/// Parts of a collective's entry beside its numbers.
struct JsonBlock {
  TunedBlock block;
  std::string distribution = "any";
};

class OpenMpiJson {
 public:
  OpenMpiJson(const LibraryVersion& version, LintFindings& findings) : version_(version), findings_(findings) {}

  void check(const JsonLine& root) {
    if (!root.is_object()) {
      ignored(root.line, "structure", "the file is no object", "{\"rule_file_version\": 3, \"collectives\": {...}}");
      return;
    }
    unknown_keys(root, {"rule_file_version", "module", "collectives"});
    check_head(root);
    const JsonLine* const collectives = root.find("collectives");
    if (collectives == nullptr || !collectives->is_object()) {
      ignored(collectives == nullptr ? root.line : collectives->line, "structure", "there is no object \"collectives\"",
              "\"collectives\": {\"bcast\": [...], ...}");
      return;
    }
    repeated_keys(*collectives);
    if (collectives->items.empty()) {
      findings_.add(collectives->line, LintEffect::kNoEffect, "empty", "no collective has rules", "at least one");
    }
    for (const JsonLine& collective : collectives->items) {
      check_collective(collective);
    }
  }

 private:
  void ignored(int line, std::string check, const std::string& what, std::string instead) {
    findings_.add(line, LintEffect::kFileIgnored, std::move(check), what + ": the whole file is ignored",
                  std::move(instead));
  }

  void check_head(const JsonLine& root) {
    const JsonLine* const version = root.find("rule_file_version");
    if (version == nullptr || version->integer != 3) {
      findings_.add(version == nullptr ? root.line : version->line, LintEffect::kNoEffect, "file-version",
                    "rule_file_version is not 3; releases that check it will not read the file",
                    "\"rule_file_version\": 3");
    }
    const JsonLine* const module = root.find("module");
    if (module != nullptr && module->text != "tuned") {
      findings_.add(module->line, LintEffect::kNoEffect, "module",
                    "the rules are for another module, and coll/tuned reads them all the same",
                    "\"module\": \"tuned\"");
    }
  }

  void unknown_keys(const JsonLine& object, std::initializer_list<std::string_view> known) {
    std::string list;
    for (const std::string_view name : known) {
      list += (list.empty() ? "" : ", ") + std::string(name);
    }
    for (const JsonLine& member : object.items) {
      if (std::ranges::find(known, member.name) == known.end() && !member.name.starts_with("_")) {
        findings_.add(member.line, LintEffect::kNoEffect, "key", fmt::format("\"{}\" is not looked for", member.name),
                      fmt::format("one of {}", list));
      }
    }
    repeated_keys(object);
  }

  void repeated_keys(const JsonLine& object) {
    for (auto member = object.items.begin(); member != object.items.end(); ++member) {
      if (std::any_of(object.items.begin(), member, [&](const JsonLine& one) { return one.name == member->name; })) {
        findings_.add(member->line, LintEffect::kRuleIgnored, "repeated",
                      fmt::format("\"{}\" is there twice, and one of both is taken", member->name), "each name once");
      }
    }
  }

  /// An integer or "inf"; `usual` where it is not given, or is neither of both.
  std::int64_t number(const JsonLine& object, std::string_view name, std::int64_t usual) {
    const JsonLine* const field = object.find(name);
    if (field == nullptr) {
      return usual;
    }
    if (field->kind == JsonLine::Kind::kInteger) {
      return field->integer;
    }
    if (field->kind == JsonLine::Kind::kText &&
        (field->text.starts_with("inf") || field->text.starts_with("Inf") || field->text.starts_with("INF"))) {
      return kNoEnd;
    }
    has_bad_number_ = true;
    ignored(field->line, "number", fmt::format("\"{}\" is neither an integer nor \"inf\"", name),
            "whole bytes or ranks");
    return usual;
  }

  void check_collective(const JsonLine& collective) {
    const int id = open_mpi_collective(collective.name);
    if (id < 0) {
      ignored(collective.line, "collective", fmt::format("there is no collective \"{}\"", collective.name),
              "lower case with underscores, like reduce_scatter");
      return;
    }
    if (!collective.is_array()) {
      ignored(collective.line, "structure", fmt::format("\"{}\" holds no array", collective.name),
              "an array of objects with comm_size_min, comm_size_max and rules");
      return;
    }
    TunedSection section{.line = collective.line, .collective = id};
    std::vector<JsonBlock> blocks;
    for (const JsonLine& entry : collective.items) {
      check_block(entry, id, blocks);
    }
    hide_blocks(blocks);
    for (JsonBlock& block : blocks) {
      section.blocks.push_back(std::move(block.block));
    }
    if (section.blocks.size() == collective.items.size()) {
      report_if_empty(section, findings_);
    }
    check_tuned_section(section, version_, true, findings_);
  }

  void check_block(const JsonLine& entry, int collective, std::vector<JsonBlock>& blocks) {
    const JsonLine* const rules = entry.find("rules");
    if (!entry.is_object() || rules == nullptr || !(rules->is_array() || rules->is_object())) {
      ignored(entry.line, "structure", "an entry has no array \"rules\"", "{\"comm_size_min\": 2, \"rules\": [...]}");
      return;
    }
    unknown_keys(entry, {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules"});
    JsonBlock made;
    made.block.line = entry.line;
    made.block.ranks = {number(entry, "comm_size_min", 0), number(entry, "comm_size_max", kNoEnd)};
    made.block.size = made.block.ranks.first;
    if (const JsonLine* const distribution = entry.find("comm_rank_distribution")) {
      made.distribution = distribution_of(*distribution);
    }
    for (const JsonLine& rule : rules->items) {
      check_rule(rule, collective, made.block);
    }
    hide_rules(made.block);
    if (made.block.ranks.is_empty()) {
      findings_.add(entry.line, LintEffect::kRuleIgnored, "empty-range",
                    "comm_size_max is below comm_size_min: the entry is never used", "the smaller one first");
    }
    blocks.push_back(std::move(made));
  }

  std::string distribution_of(const JsonLine& field) {
    for (const char* known : {"any", "one-per-node", "single-node"}) {
      if (field.text == known) {
        return field.text;
      }
    }
    findings_.add(field.line, LintEffect::kMisread, "distribution",
                  fmt::format("\"{}\" is no distribution, and is taken as \"any\"", field.text),
                  "any, one-per-node or single-node");
    return "any";
  }

  void check_rule(const JsonLine& entry, int collective, TunedBlock& block) {
    unknown_keys(entry, {"msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs"});
    TunedRule rule{.line = entry.line};
    has_bad_number_ = false;
    rule.bytes = {number(entry, "msg_size_min", 0), number(entry, "msg_size_max", kNoEnd)};
    const bool is_unknown = has_bad_number_;
    if (is_unknown) {
      rule.bytes = {1, 0};  // what it would hide is not known
    }
    rule.fan_out = number(entry, "faninout", 0);
    rule.segment = number(entry, "seg_size", 0);
    rule.requests = number(entry, "reqs", 0);
    if (rule.bytes.is_empty() && !is_unknown) {
      findings_.add(entry.line, LintEffect::kRuleIgnored, "empty-range",
                    "msg_size_max is below msg_size_min: the rule is never used", "the smaller one first");
    }
    rule.algorithm = algorithm_of(entry, collective);
    block.rules.push_back(rule);
  }

  std::int64_t algorithm_of(const JsonLine& entry, int collective) {
    const JsonLine* const field = entry.find("alg");
    if (field == nullptr) {
      findings_.add(entry.line, LintEffect::kNoEffect, "algorithm",
                    "a rule has no \"alg\": the built-in decision holds there",
                    "\"alg\": a number or a name; 0 is the built-in decision");
      return 0;
    }
    if (field->kind == JsonLine::Kind::kInteger) {
      return field->integer;
    }
    if (field->kind != JsonLine::Kind::kText) {
      findings_.add(field->line, LintEffect::kNoEffect, "algorithm",
                    "\"alg\" is neither a number nor a name: the built-in decision holds there",
                    "\"alg\": a number or a name; 0 is the built-in decision");
      return 0;
    }
    if (const auto number = tuned_algorithm_number(collective, version_, field->text)) {
      return *number;
    }
    std::string names = "ignore";
    for (const LibraryAlgorithm& algorithm : tuned_algorithms(collective, version_)) {
      names += fmt::format(", {}", algorithm.name);
    }
    findings_.add(
        field->line, LintEffect::kRuleIgnored, "algorithm",
        fmt::format("{} has no algorithm \"{}\": the rule is left out", open_mpi_collective(collective), field->text),
        fmt::format("one of {}", names));
    return 0;
  }

  /// The first that matches is taken: says which are never reached.
  void hide_rules(TunedBlock& block) {
    std::vector<TunedSpan> before;
    for (TunedRule& rule : block.rules) {
      hide(rule.line, rule.bytes, before);
      before.push_back(rule.bytes);
    }
  }

  void hide_blocks(std::vector<JsonBlock>& blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      std::vector<TunedSpan> before;
      for (std::size_t j = 0; j < i; ++j) {
        if (blocks[j].distribution == "any" || blocks[j].distribution == blocks[i].distribution) {
          before.push_back(blocks[j].block.ranks);
        }
      }
      hide(blocks[i].block.line, blocks[i].block.ranks, before);
    }
  }

  /// Cuts off what spans before it cover, from below and above; a span that is covered wholly becomes empty.
  void hide(int line, TunedSpan& span, std::vector<TunedSpan> before) {
    if (span.is_empty()) {
      return;
    }
    std::ranges::sort(before, {}, &TunedSpan::first);
    for (const TunedSpan& other : before) {
      if (other.first <= span.first && other.last >= span.first) {
        span.first = other.last == kNoEnd ? kNoEnd : other.last + 1;
        span.last = other.last == kNoEnd ? 0 : span.last;
      }
    }
    if (span.is_empty()) {
      findings_.add(line, LintEffect::kRuleIgnored, "hidden",
                    "it is never used: those before it match all that it matches, and the first that matches is taken",
                    "narrower ranges before wider ones");
    }
  }

  const LibraryVersion& version_;
  LintFindings& findings_;
  bool has_bad_number_ = false;
};

}  // namespace

void lint_open_mpi_json(std::string_view text, const LibraryVersion& version, LintFindings& findings) {
  if (version < kFirstMatchSince) {
    findings.add(
        1, LintEffect::kFileIgnored, "file-format",
        fmt::format("Open MPI {} does not read JSON: it takes the integers in it for a text file of rules, and "
                    "ignores it",
                    format_version(version)),
        "a text file of rules");
    return;
  }
  if (const auto root = lint_json_value(text, false, LintEffect::kFileIgnored, "the whole file is ignored", findings)) {
    OpenMpiJson(version, findings).check(*root);
  }
}

}  // namespace postage
