#include "tuning/lint/openmpi/rules_file.hpp"

#include "tuning/lint/openmpi/number_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <climits>
#include <optional>
#include <string>
#include <utility>

namespace postage {
namespace {

/// Ends the reading: the library ignores the file, and the reason is in the findings.
struct FileIgnored {};

/// The version of the first line, and the text behind it; nothing where there is no such line.
std::optional<std::pair<int, std::string_view>> version_line(std::string_view text) {
  if (!text.starts_with(kRuleVersionLine)) {
    return std::nullopt;
  }
  int version = 0;
  const char* const first = text.data() + kRuleVersionLine.size();
  const auto [end, mistake] = std::from_chars(first, text.data() + text.size(), version);
  if (mistake != std::errc{}) {
    return std::nullopt;
  }
  return std::pair{version, text.substr(static_cast<std::size_t>(end - text.data()))};
}

class RulesFile {
 public:
  RulesFile(std::string_view text, const LibraryVersion& library, LintFindings& findings)
      : library_(library), findings_(findings), reader_(body_of(text)) {}

  std::vector<TunedSection> read() {
    const RuleNumber count = field("the number of collectives");
    if (count.value > kCollectives) {
      ignore(count.line, "collectives",
             fmt::format("{} collectives are announced and there are {}: the whole file is ignored", count.value,
                         kCollectives),
             "the number of collectives first");
    }
    std::vector<TunedSection> sections;
    for (long i = 0; i < count.value; ++i) {
      sections.push_back(section());
    }
    if (count.value == 0) {
      findings_.add(count.line, LintEffect::kNoEffect, "empty", "no collective has rules", "at least one");
    }
    check_rest();
    return sections;
  }

  void report_skipped() {
    for (const RuleNumberReader::Skipped& skipped : reader_.skipped()) {
      const bool is_word = skipped.text != ",";
      if (is_word) {
        findings_.add(skipped.line, LintEffect::kMisread, skipped.touches_number ? "suffix" : "words",
                      skipped.touches_number
                          ? fmt::format("'{}' beside a number is skipped, and the digits alone are read", skipped.text)
                          : fmt::format("'{}' is skipped: only integers are read", skipped.text),
                      skipped.touches_number ? "whole bytes, like 65536 for 64K" : "'#' before comments");
      }
    }
  }

 private:
  static constexpr long kCollectives = 22;

  std::string_view body_of(std::string_view text) {
    const auto line = version_line(text);
    if (!line) {
      return text;
    }
    if (library_ < kVersionTwoSince) {
      ignore(
          1, "file-version",
          fmt::format("Open MPI before {} reads '{}{}' as a negative number of collectives: the whole file is ignored",
                      format_version(kVersionTwoSince), kRuleVersionLine, line->first),
          "no such line, and four columns");
    }
    has_requests_ = line->first > 1;
    return line->second;
  }

  [[noreturn]] void ignore(int line, std::string check, std::string what, std::string instead) {
    findings_.add(line, LintEffect::kFileIgnored, std::move(check), std::move(what), std::move(instead));
    throw FileIgnored{};
  }

  RuleNumber field(std::string_view what, bool is_size = false) {
    const auto number = reader_.next();
    if (!number) {
      ignore(reader_.line(), "truncated",
             fmt::format("the file ends where {} should stand: the whole file is ignored", what),
             "counts that fit the rules that follow");
    }
    if (number->value < 0) {
      ignore(number->line, "negative", fmt::format("{} is {}: the whole file is ignored", what, number->value),
             "numbers from 0 on, and no '-' before digits outside of comments");
    }
    if (!is_size && number->value > INT_MAX) {
      findings_.add(number->line, LintEffect::kMisread, "too-large",
                    fmt::format("{} is {}, which is cut to 32 bits", what, number->value), "at most 2147483647");
    }
    if (number->is_octal) {
      findings_.add(number->line, LintEffect::kMisread, "octal",
                    fmt::format("a number that begins with 0 is octal: {} is read as {}", what, number->value),
                    "no 0 before it");
    }
    return *number;
  }

  TunedSection section() {
    const RuleNumber id = field("a collective's number");
    if (id.value >= kCollectives) {
      ignore(
          id.line, "collective", fmt::format("there is no collective {}: the whole file is ignored", id.value),
          "0 allgather, 1 allgatherv, 2 allreduce, 3 alltoall, 4 alltoallv, 6 barrier, 7 bcast, 8 exscan, 9 gather, 11 "
          "reduce, 12 reduce_scatter, 13 reduce_scatter_block, 14 scan or 15 scatter; or counts that fit");
    }
    TunedSection section{.line = id.line, .collective = static_cast<int>(id.value)};
    const RuleNumber count = field("the number of communicator sizes");
    for (long i = 0; i < count.value; ++i) {
      section.blocks.push_back(block());
    }
    return section;
  }

  TunedBlock block() {
    const RuleNumber size = field("a communicator size");
    TunedBlock block{.line = size.line, .size = size.value};
    const RuleNumber count = field("the number of message sizes");
    for (long i = 0; i < count.value; ++i) {
      block.rules.push_back(rule(i == 0));
    }
    return block;
  }

  TunedRule rule(bool is_first) {
    const RuleNumber size = field("a message size", true);
    TunedRule rule{.line = size.line, .size = size.value};
    rule.algorithm = field("an algorithm").value;
    rule.fan_out = field("a fan-out").value;
    rule.segment = field("a segment size").value;
    if (has_requests_ && reader_.digit_follows()) {
      rule.requests = field("a number of requests").value;
    }
    if (is_first && size.value != 0) {
      // The numbers behind it can still be read: who mends this sees at once what else is wrong.
      findings_.add(
          size.line, LintEffect::kFileIgnored, "first-size",
          fmt::format("the first message size of a communicator size is {}: the whole file is ignored", size.value),
          "0 for the first; algorithm 0 there leaves small messages to the built-in decision");
    }
    return rule;
  }

  void check_rest() {
    if (const auto rest = reader_.next()) {
      findings_.add(rest->line, LintEffect::kRuleIgnored, "rest",
                    "numbers follow the last rule that the counts announce, and are never read",
                    "counts that fit the rules; a fifth column needs the line rule-file-version-2");
    }
  }

  const LibraryVersion& library_;
  LintFindings& findings_;
  bool has_requests_ = false;
  RuleNumberReader reader_;
};

}  // namespace

std::vector<TunedSection> read_rules_file(std::string_view text, const LibraryVersion& version,
                                          LintFindings& findings) {
  std::optional<RulesFile> file;
  std::vector<TunedSection> sections;
  try {
    file.emplace(text, version, findings);
    sections = file->read();
  } catch (const FileIgnored&) {
    sections.clear();
  }
  if (file) {
    file->report_skipped();
  }
  return sections;
}

}  // namespace postage
