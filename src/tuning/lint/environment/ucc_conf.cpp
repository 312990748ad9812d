#include "tuning/lint/environment/families.hpp"
#include "tuning/lint/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace postage {
namespace {

constexpr const char* kConditions = "vendor=, model=, team_size=, ppn=, sock= or nnodes=";

/// Where a finding goes.
struct LintLine {
  int line;
  LintFindings& findings;
};

std::optional<long> whole_number(std::string_view text) {
  long value = 0;
  const auto [end, mistake] = std::from_chars(text.data(), text.data() + text.size(), value);
  return mistake == std::errc{} && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

/// UCC reads the rest of the file, and then takes nothing of it.
void refuse_file(int line, std::string check, std::string what, std::string instead, LintFindings& findings) {
  findings.add(line, LintEffect::kFileIgnored, std::move(check), std::move(what) + ": the whole file is ignored",
               std::move(instead));
}

void lint_range(const std::string& word, std::string_view range, int line, LintFindings& findings) {
  const auto at = range.find('-');
  const auto first = whole_number(range.substr(0, at));
  const auto last = at == std::string_view::npos ? first : whole_number(range.substr(at + 1));
  if (!first || !last) {
    refuse_file(line, "range", fmt::format("'{}' is no range of whole numbers", word), "one number, or FIRST-LAST",
                findings);
  } else if (*last < *first) {
    findings.add(line, LintEffect::kRuleIgnored, "empty-range",
                 fmt::format("'{}' holds nothing: its ends are the wrong way round", word), "the smaller one first");
  }
}

/// Any other processor is an unknown one.
void lint_processor(const std::string& word, std::string value, std::initializer_list<std::string_view> known,
                    const LintLine& place) {
  std::ranges::transform(value, value.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::find(known, value) == known.end()) {
    place.findings.add(place.line, LintEffect::kRuleIgnored, "processor",
                       fmt::format("UCC knows no {}: the section holds where it knows the processor not", word),
                       fmt::format("one of {}", fmt::join(known, ", ")));
  }
}

void lint_condition(const std::string& word, const LintLine& place) {
  const auto at = word.find('=');
  const std::string key = word.substr(0, at);
  const std::string value = at == std::string::npos ? "" : word.substr(at + 1);
  if (at == std::string::npos || value.empty()) {
    refuse_file(place.line, "section", fmt::format("'{}' is no condition of a section", word), kConditions,
                place.findings);
  } else if (key == "team_size" || key == "ppn" || key == "nnodes" || key == "sock") {
    lint_range(word, value, place.line, place.findings);
  } else if (key == "vendor") {
    lint_processor(word, value, {"intel", "amd", "arm", "ppc", "fujitsu", "zhaoxin"}, place);
  } else if (key == "model") {
    lint_processor(word, value,
                   {"ivybridge", "sandybridge", "nehalem", "westmere", "haswell", "broadwell", "skylake", "aarch64",
                    "naples", "rome", "milan", "genoa", "zhangjiang", "wudaokou", "lujiazui"},
                   place);
  } else {
    refuse_file(place.line, "section", fmt::format("'{}' is no condition of a section", word), kConditions,
                place.findings);
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
    lint_condition(word, {line.line, findings});
  }
}

void lint_line(const Assignment& one, LintFindings& findings) {
  if (one.name.find("UCC_") == std::string::npos) {
    refuse_file(one.line, "name", fmt::format("{} is no variable of UCC's", one.name), "UCC_...", findings);
  } else if (one.is_shell) {
    findings.add(one.line, LintEffect::kNoEffect, "shell",
                 "UCC reads no shell script: the word before the name is part of it",
                 fmt::format("{} = {}", one.name, one.value));
  } else if (one.is_quoted) {
    findings.add(one.line, LintEffect::kMisread, "quotes", "in ucc.conf quotes are a part of the value",
                 fmt::format("{} = {}", one.name, one.value));
  }
}

/// "; a comment", and "NAME = VALUE ; a comment". Lines stay.
std::string without_semicolons(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find_first_not_of(" \t");
    const bool is_comment = first != std::string::npos && line[first] == ';';
    kept += (is_comment ? "" : line.substr(0, line.find(" ;"))) + '\n';
  }
  return kept;
}

/// A variable that a section has already, or the part before the first one; the same section may come again.
void lint_repeated(const AssignmentText& read, LintFindings& findings) {
  std::map<std::pair<std::string, std::string>, int> lines;
  for (const Assignment& one : read.assignments) {
    std::string section;
    for (const Assignment& other : read.others) {
      section = other.line < one.line && other.name.starts_with('[') ? other.name : section;
    }
    const auto [known, is_new] = lines.try_emplace({section, one.name}, one.line);
    if (!is_new) {
      refuse_file(one.line, "repeated",
                  fmt::format("{} stands on line {} of the same section already", one.name, known->second),
                  "each once in a section, with '#' between its rules", findings);
    }
  }
}

}  // namespace

void lint_ucc_conf(std::string_view text, const LibraryVersion& /*version*/, LintFindings& findings) {
  // "[vendor=intel model=skylake]" holds an equals sign and is no assignment all the same: its first word is no name.
  const AssignmentText read = read_assignments(without_semicolons(text));
  for (const Assignment& other : read.others) {
    lint_section(other, findings);
  }
  for (const Assignment& one : read.assignments) {
    lint_line(one, findings);
  }
  lint_repeated(read, findings);
  lint_ucc_variables(read.assignments, findings);
}

}  // namespace postage
