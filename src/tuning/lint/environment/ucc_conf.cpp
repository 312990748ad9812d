#include "tuning/lint/environment/families.hpp"
#include "tuning/lint/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>
#include <string>

namespace postage {
namespace {

std::optional<long> whole_number(std::string_view text) {
  long value = 0;
  const auto [end, mistake] = std::from_chars(text.data(), text.data() + text.size(), value);
  return mistake == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "4-2": no communicator has such a size.
bool is_empty_range(std::string_view text) {
  const auto at = text.find('-');
  const auto first = whole_number(text.substr(0, at));
  const auto last = at == std::string_view::npos ? first : whole_number(text.substr(at + 1));
  return first && last && *last < *first;
}

void lint_condition(const std::string& word, int line, LintFindings& findings) {
  constexpr std::array<std::string_view, 7> kKeys{"vendor", "model", "team_size", "ppn", "nnodes", "sock", "ppn_max"};
  const auto at = word.find('=');
  if (at == std::string::npos || std::ranges::find(kKeys, word.substr(0, at)) == kKeys.end()) {
    findings.add(line, LintEffect::kRuleIgnored, "section",
                 fmt::format("'{}' is no condition of a section, which UCC then leaves out", word),
                 "vendor=, model=, team_size=, ppn= or nnodes=");
    return;
  }
  std::istringstream ranges(word.substr(at + 1));
  for (std::string range; std::getline(ranges, range, ',');) {
    if (is_empty_range(range)) {
      findings.add(line, LintEffect::kRuleIgnored, "empty-range",
                   fmt::format("'{}' holds nothing: its ends are the wrong way round", word), "the smaller one first");
    }
  }
}

void lint_section(const Assignment& line, LintFindings& findings) {
  if (!line.name.starts_with('[') || !line.name.ends_with(']')) {
    findings.add(line.line, LintEffect::kFileIgnored, "line",
                 fmt::format("'{}' is neither a section nor NAME = VALUE", line.name),
                 "[vendor=... model=... team_size=...] or UCC_TL_UCP_TUNE = ...");
    return;
  }
  std::istringstream words(line.name.substr(1, line.name.size() - 2));
  for (std::string word; words >> word;) {
    lint_condition(word, line.line, findings);
  }
}

void lint_line(const Assignment& one, LintFindings& findings) {
  if (!one.name.starts_with("UCC_")) {
    findings.add(one.line, LintEffect::kNoEffect, "name", fmt::format("{} is no variable of UCC's", one.name),
                 "UCC_...");
  } else if (one.is_shell) {
    findings.add(one.line, LintEffect::kNoEffect, "shell",
                 "UCC reads no shell script: the word before the name is part of it",
                 fmt::format("{} = {}", one.name, one.value));
  } else if (one.is_quoted) {
    findings.add(one.line, LintEffect::kMisread, "quotes", "in ucc.conf quotes are a part of the value",
                 fmt::format("{} = {}", one.name, one.value));
  }
}

}  // namespace

void lint_ucc_conf(std::string_view text, const LibraryVersion& /*version*/, LintFindings& findings) {
  // "[vendor=intel model=skylake]" holds an equals sign and is no assignment all the same: its first word is no name.
  const AssignmentText read = read_assignments(text);
  for (const Assignment& other : read.others) {
    lint_section(other, findings);
  }
  for (const Assignment& one : read.assignments) {
    lint_line(one, findings);
  }
  lint_ucc_variables(read.assignments, findings);
}

}  // namespace postage
