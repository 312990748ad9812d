#include "tuning/lint/environment/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace postage {
namespace {

/// Before, algorithms had other numbers.
constexpr LibraryVersion kKnownSince{2021, 0, 0};
/// From here on numbers are presets, of which there are more than algorithms.
constexpr LibraryVersion kPresetsSince{2021, 13, 0};

// Intel MPI Library Developer Reference 2021, "I_MPI_ADJUST Family": numbers up to these.
constexpr std::array<std::pair<std::string_view, long>, 16> kIntelAlgorithms{{
    {"ALLGATHER", 5},
    {"ALLGATHERV", 4},
    {"ALLREDUCE", 12},
    {"ALLTOALL", 4},
    {"ALLTOALLV", 2},
    {"ALLTOALLW", 1},
    {"BARRIER", 9},
    {"BCAST", 14},
    {"EXSCAN", 2},
    {"GATHER", 4},
    {"GATHERV", 3},
    {"REDUCE_SCATTER", 5},
    {"REDUCE", 11},
    {"SCAN", 2},
    {"SCATTER", 4},
    {"SCATTERV", 2},
}};

constexpr std::string_view kAdjust = "I_MPI_ADJUST_";

std::optional<long> whole(std::string_view text) {
  long value = 0;
  const auto [end, mistake] = std::from_chars(text.data(), text.data() + text.size(), value);
  return mistake == std::errc{} && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

/// "8-64" or "8".
std::optional<std::pair<long, long>> range(const std::string& text) {
  const auto at = text.find('-');
  const auto first = whole(text.substr(0, at));
  const auto last = at == std::string::npos ? first : whole(text.substr(at + 1));
  return first && last ? std::optional(std::pair{*first, *last}) : std::nullopt;
}

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> found;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    found.push_back(part);
  }
  return found;
}

class Adjustment {
 public:
  Adjustment(const Assignment& one, long most, LintFindings& findings) : one_(one), most_(most), findings_(findings) {}

  void check() {
    if (one_.value.empty()) {
      refuse(LintEffect::kNoEffect, "nothing-to-do", "the value is empty", "the number of an algorithm");
    }
    for (const std::string& rule : parts(one_.value, ';')) {
      check_rule(rule);
    }
  }

 private:
  void refuse(LintEffect effect, std::string check, std::string what, std::string instead) {
    findings_.add(one_.line, effect, std::move(check), std::move(what), std::move(instead));
  }

  void check_rule(const std::string& rule) {
    const auto colon = rule.find(':');
    const auto id = whole(rule.substr(0, colon));
    if (!id) {
      refuse(LintEffect::kRuleIgnored, "syntax", fmt::format("'{}' begins with no number of an algorithm", rule),
             "NUMBER:BYTES-BYTES@RANKS-RANKS;...");
    } else if (*id > most_) {
      refuse(LintEffect::kRuleIgnored, "algorithm", fmt::format("{} has no algorithm {}", one_.name, *id),
             fmt::format("0 (built-in decision) to {}", most_));
    }
    if (colon != std::string::npos) {
      for (const std::string& condition : parts(rule.substr(colon + 1), ',')) {
        check_condition(condition);
      }
    } else if (id) {
      add_condition(rule, {0, 1L << 60}, {0, 1L << 30});  // all sizes and ranks
    }
  }

  void check_condition(const std::string& condition) {
    const auto at = condition.find('@');
    const auto bytes = range(condition.substr(0, at));
    const auto ranks =
        at == std::string::npos ? std::optional(std::pair{0L, 1L << 30}) : range(condition.substr(at + 1));
    if (!bytes || !ranks) {
      refuse(LintEffect::kRuleIgnored, "syntax", fmt::format("'{}' is no condition", condition),
             "BYTES-BYTES@RANKS-RANKS in whole numbers");
      return;
    }
    if (bytes->first > bytes->second || ranks->first > ranks->second) {
      refuse(LintEffect::kRuleIgnored, "empty-range",
             fmt::format("'{}' holds nothing: its ends are the wrong way round", condition), "the smaller one first");
    }
    add_condition(condition, *bytes, *ranks);
  }

  void add_condition(const std::string& condition, const std::pair<long, long>& bytes,
                     const std::pair<long, long>& ranks) {
    for (const auto& [first_bytes, first_ranks] : before_) {
      if (first_bytes.first <= bytes.first && bytes.second <= first_bytes.second && first_ranks.first <= ranks.first &&
          ranks.second <= first_ranks.second) {
        refuse(LintEffect::kRuleIgnored, "hidden", fmt::format("'{}' lies within a condition before it", condition),
               "each case once");
        break;
      }
    }
    before_.emplace_back(bytes, ranks);
  }

  const Assignment& one_;
  long most_;
  LintFindings& findings_;
  std::vector<std::pair<std::pair<long, long>, std::pair<long, long>>> before_;
};

std::string in_upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool is_collective(std::string_view name) {
  return std::ranges::any_of(kIntelAlgorithms, [&](const auto& one) { return one.first == name; });
}

/// "I_MPI_ADUST_BCAST", "i_mpi_adjust_bcast": the collective's variable in another spelling.
bool is_misspelt(const std::string& name) {
  const std::string upper = in_upper_case(name);
  const auto last = upper.rfind('_');
  return upper.starts_with("I_MPI_A") && !name.starts_with(kAdjust) && last != std::string::npos &&
         is_collective(upper.substr(last + 1));
}

/// "BCAST_SEGSIZE", "ALLREDUCE_KN_RADIX": of a collective.
bool is_parameter(std::string_view name) {
  return std::ranges::any_of(kIntelAlgorithms, [&](const auto& one) {
    return name.starts_with(std::string(one.first) + "_") && name != "REDUCE_SCATTER_BLOCK";
  });
}

/// A size or a radix; lists are of numbers and spans of them.
void check_parameter(const Assignment& one, LintFindings& findings) {
  const bool is_radix = one.name.ends_with("_RADIX");
  const auto value = whole(one.value);
  if ((is_radix || one.name.ends_with("_SEGSIZE")) && (!value || *value < (is_radix ? 2 : 1))) {
    findings.add(one.line, LintEffect::kNoEffect, "number", fmt::format("'{}' is no value of {}", one.value, one.name),
                 is_radix ? "a whole number from 2 on" : "whole bytes");
  }
}

void no_such_variable(const Assignment& one, LintFindings& findings) {
  findings.add(one.line, LintEffect::kNoEffect, "name", fmt::format("Intel MPI has no variable {}", one.name),
               "I_MPI_ADJUST_ and MPI's name in upper case");
}

}  // namespace

void lint_intel_variables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings) {
  constexpr long kAnyNumber = 1L << 20;
  const bool has_known_numbers = kKnownSince <= version && version < kPresetsSince;
  for (const Assignment& one : all) {
    if (is_misspelt(one.name)) {
      no_such_variable(one, findings);
    } else if ((one.name == "I_MPI_TUNING_BIN" || one.name == "I_MPI_TUNING") && is_missing_file(one.value)) {
      findings.add(one.line, LintEffect::kFileIgnored, "no-file",
                   fmt::format("there is no file {} on this machine", one.value), "a file on every node");
    }
    if (!one.name.starts_with(kAdjust)) {
      continue;
    }
    const std::string name = one.name.substr(kAdjust.size());
    const auto* const found = std::ranges::find(kIntelAlgorithms, name, &std::pair<std::string_view, long>::first);
    const std::string_view blocking = std::string_view(name).substr(name.starts_with('I') ? 1 : 0);
    if (found != kIntelAlgorithms.end()) {
      Adjustment(one, has_known_numbers ? found->second : kAnyNumber, findings).check();
    } else if (is_parameter(blocking)) {
      check_parameter(one, findings);
    } else if (blocking != name && (is_collective(blocking) || blocking == "REDUCE_SCATTER_BLOCK")) {
      Adjustment(one, kAnyNumber, findings).check();
    } else {
      no_such_variable(one, findings);
    }
  }
}

}  // namespace postage
