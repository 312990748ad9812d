#include "tuning/lint/environment/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace postage {
namespace {

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

}  // namespace

namespace {

/// "I_MPI_ADUST_BCAST": the collective's variable in another spelling.
bool is_misspelt(std::string_view name) {
  const auto last = name.rfind('_');
  return name.starts_with("I_MPI_A") && !name.starts_with(kAdjust) && last != std::string_view::npos &&
         std::ranges::any_of(kIntelAlgorithms, [&](const auto& one) { return one.first == name.substr(last + 1); });
}

}  // namespace

void lint_intel_variables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings) {
  for (const Assignment& one : all) {
    if (is_misspelt(one.name)) {
      findings.add(one.line, LintEffect::kNoEffect, "name", fmt::format("Intel MPI has no variable {}", one.name),
                   "I_MPI_ADJUST_ and MPI's name in upper case");
    }
    if (!one.name.starts_with(kAdjust) || one.name.ends_with("_LIST") || one.name.ends_with("_SEGSIZE") ||
        one.name.ends_with("_RADIX")) {
      continue;
    }
    const std::string collective = one.name.substr(kAdjust.size());
    const auto* const found =
        std::ranges::find(kIntelAlgorithms, collective, &std::pair<std::string_view, long>::first);
    if (found == kIntelAlgorithms.end()) {
      const bool is_other = collective.starts_with("I") || collective.find('_') != std::string::npos;
      if (!is_other || collective == "REDUCE_SCATTER_BLOCK") {
        findings.add(one.line, LintEffect::kNoEffect, "name", fmt::format("Intel MPI has no variable {}", one.name),
                     "I_MPI_ADJUST_ and MPI's name in upper case");
      }
      continue;
    }
    Adjustment(one, version < kPresetsSince ? found->second : 1L << 20, findings).check();
  }
}

}  // namespace postage
