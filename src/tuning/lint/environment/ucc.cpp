#include "tuning/lint/environment/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr std::array<std::string_view, 16> kUccCollectives{
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv",      "barrier",         "bcast",   "fanin",
    "fanout",    "gather",     "gatherv",   "reduce",   "reduce_scatter", "reduce_scatterv", "scatter", "scatterv"};
constexpr std::array<std::string_view, 6> kUccMemories{"host", "cuda", "cuda_managed", "rocm", "rocm_managed", "cpu"};

/// Algorithms of TL/UCP beside those that have a schedule here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kFurtherUcp{{
    {"allgather", "bruck"},
    {"allgather", "sparbit"},
    {"allgather", "linear"},
    {"allgather", "linear_batched"},
    {"allgatherv", "ring"},
    {"allgatherv", "knomial"},
    {"allreduce", "dbt"},
    {"allreduce", "sliding_window"},
    {"alltoall", "onesided"},
    {"alltoallv", "pairwise"},
    {"alltoallv", "hybrid"},
    {"alltoallv", "onesided"},
    {"bcast", "dbt"},
    {"reduce", "dbt"},
    {"reduce", "srg"},
    {"reduce_scatter", "knomial"},
}};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// 128, 256b, 4K, 1M, inf; nothing for anything else.
std::optional<double> memory_units(const std::string& text) {
  const std::string word = lower_case(text);
  if (word == "inf") {
    return 1e300;
  }
  std::string digits = word;
  if (digits.ends_with('b')) {
    digits.pop_back();
  }
  double unit = 1;
  if (const auto at = digits.empty() ? std::string::npos : std::string("kmgt").find(digits.back());
      at != std::string::npos) {
    unit = std::array<double, 4>{0x1p10, 0x1p20, 0x1p30, 0x1p40}[at];
    digits.pop_back();
  }
  return is_digits(digits) ? std::optional(std::stod(digits) * unit) : std::nullopt;
}

template <typename Names>
bool all_among(const std::string& list, const Names& names) {
  const std::vector<std::string> words = split(list, ',');
  return !words.empty() && std::ranges::all_of(words, [&](const std::string& word) {
    return std::ranges::find(names, lower_case(word)) != names.end();
  });
}

/// One of the parts between '#'.
class TuneToken {
 public:
  TuneToken(const std::string& text, int line, bool is_ucp, LintFindings& findings)
      : text_(text), line_(line), is_ucp_(is_ucp), findings_(findings) {}

  void check() {
    for (const std::string& field : split(text_, ':')) {
      if (!take(field)) {
        findings_.add(
            line_, LintEffect::kRuleIgnored, "field",
            fmt::format("'{}' in '{}' is none of UCC's fields: the whole value is refused, with an error in UCC's "
                        "log",
                        field, text_),
            "COLLECTIVE:START-END:MEMORY:[TEAM-SIZES]:SCORE:@ALGORITHM, each once, in any order");
        return;
      }
    }
    if (!has_score_ && algorithm_.empty()) {
      findings_.add(line_, LintEffect::kNoEffect, "nothing-to-do",
                    fmt::format("'{}' names neither a score nor an algorithm", text_),
                    "a score like inf, or @ALGORITHM");
    }
    check_memory();
    check_algorithm();
  }

 private:
  bool take(const std::string& field) {
    if (collectives_.empty() && all_among(field, kUccCollectives)) {
      collectives_ = split(lower_case(field), ',');
      return true;
    }
    if (memory_.empty() && all_among(field, kUccMemories)) {
      memory_ = lower_case(field);
      return true;
    }
    if (!has_score_ && (field == "inf" || is_digits(field))) {
      has_score_ = true;
      return true;
    }
    if (!has_ranges_ && take_ranges(field)) {
      has_ranges_ = true;
      return true;
    }
    if (!has_teams_ && field.starts_with('[') && field.ends_with(']')) {
      has_teams_ = true;
      return take_teams(field.substr(1, field.size() - 2));
    }
    if (algorithm_.empty() && field.starts_with('@')) {
      algorithm_ = field.substr(1);
      return !algorithm_.empty();
    }
    return false;
  }

  bool take_ranges(const std::string& field) {
    double before = 0;
    for (const std::string& range : split(field, ',')) {
      const std::vector<std::string> ends = split(range, '-');
      const auto first = ends.size() == 2 ? memory_units(ends[0]) : std::nullopt;
      const auto last = ends.size() == 2 ? memory_units(ends[1]) : std::nullopt;
      if (!first || !last) {
        return false;
      }
      if (*first >= *last || *first < before) {
        findings_.add(
            line_, LintEffect::kRuleIgnored, "ranges",
            fmt::format("the range {} is empty, or overlaps one before it: UCC refuses the whole value", range),
            "START-END with START below END, which does not belong to it, in ascending order");
      }
      before = *last;
    }
    return true;
  }

  static bool take_teams(const std::string& field) {
    for (const std::string& range : split(field, ',')) {
      const std::vector<std::string> ends = split(range, '-');
      const bool is_one = ends.size() == 1 && is_digits(ends[0]);
      const bool is_two =
          ends.size() == 2 && is_digits(ends[0]) && (is_digits(ends[1]) || lower_case(ends[1]) == "inf");
      if ((!is_one && !is_two) || (is_two && is_digits(ends[1]) && std::stod(ends[1]) < std::stod(ends[0]))) {
        return false;
      }
    }
    return true;
  }

  void check_memory() {
    if ((',' + memory_ + ',').find(",cpu,") != std::string::npos) {
      findings_.add(line_, LintEffect::kRuleIgnored, "memory",
                    "UCC calls the memory of processors host, and refuses cpu", "host");
    }
  }

  void check_algorithm() {
    if (algorithm_.empty() || !is_ucp_ || collectives_.empty() || is_digits(algorithm_)) {
      return;
    }
    for (const std::string& collective : collectives_) {
      if (!is_ucp_algorithm(collective, algorithm_)) {
        findings_.add(
            line_, LintEffect::kRuleIgnored, "algorithm",
            fmt::format("TL/UCP has no algorithm {} of {}: UCC refuses the whole value", algorithm_, collective),
            "what `ucc_info -A` lists");
      }
    }
  }

  static bool is_ucp_algorithm(const std::string& collective, const std::string& name) {
    for (const LibraryAlgorithm& row : library_algorithms(TuningTarget::kUcc)) {
      if (name_of(row.collective) == collective && row.name == name) {
        return true;
      }
    }
    const bool is_further = std::ranges::any_of(
        kFurtherUcp, [&](const auto& row) { return row.first == collective && row.second == name; });
    const bool is_only =
        (name == "knomial" && (collective == "gather" || collective == "scatter" || collective.starts_with("fan"))) ||
        (name == "linear" && (collective == "gatherv" || collective == "scatterv")) ||
        (name == "ring" && collective == "reduce_scatterv");
    return is_further || is_only;
  }

  const std::string& text_;
  int line_;
  bool is_ucp_;
  LintFindings& findings_;
  std::vector<std::string> collectives_;
  std::string memory_;
  std::string algorithm_;
  bool has_score_ = false;
  bool has_ranges_ = false;
  bool has_teams_ = false;
};

/// "UCC_TL_UCP_TUNE", also with a program's own prefix before it.
bool is_tune(std::string_view name) {
  constexpr std::array<std::string_view, 11> kComponents{"TL_UCP",   "TL_NCCL", "TL_RCCL",     "TL_CUDA",
                                                         "TL_SHARP", "TL_SELF", "TL_MLX5",     "TL_SPIN",
                                                         "CL_BASIC", "CL_HIER", "CL_DOCA_UROM"};
  return std::ranges::any_of(kComponents, [&](std::string_view component) {
    return name.ends_with("UCC_" + std::string(component) + "_TUNE");
  });
}

}  // namespace

void lint_ucc_tune(std::string_view value, int line, bool is_ucp, LintFindings& findings) {
  if (value.empty()) {
    findings.add(line, LintEffect::kNoEffect, "nothing-to-do", "the value is empty",
                 "COLLECTIVE:START-END:SCORE:@ALGORITHM");
  }
  for (const std::string& token : split(value, '#')) {
    TuneToken(token, line, is_ucp, findings).check();
  }
}

void lint_ucc_variables(std::span<const Assignment> all, LintFindings& findings) {
  for (const Assignment& one : all) {
    if (is_tune(one.name)) {
      lint_ucc_tune(one.value, one.line, one.name.ends_with("UCC_TL_UCP_TUNE"), findings);
    } else if (one.name == "UCC_CONFIG_FILE" && is_missing_file(one.value)) {
      findings.add(one.line, LintEffect::kFileIgnored, "no-file",
                   fmt::format("there is no file {} on this machine", one.value), "a file on every node");
    } else if (one.name.starts_with("UCC_") && one.name.find("TUNE") != std::string::npos) {
      findings.add(one.line, LintEffect::kNoEffect, "name", fmt::format("UCC has no variable {}", one.name),
                   "UCC_TL_UCP_TUNE");
    }
  }
}

}  // namespace postage
