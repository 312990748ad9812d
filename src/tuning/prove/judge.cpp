#include "tuning/prove/expected_names.hpp"

#include <postage/base/error.hpp>
#include <postage/tuning/proof.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

namespace postage {
namespace {

std::string seen_text(const SeenAlgorithm& one) {
  std::string text = one.name;
  text += one.segment != 0 ? fmt::format(", segment {}", one.segment) : "";
  return text + (one.fan_out != 0 ? fmt::format(", fan-out {}", one.fan_out) : "");
}

std::string seen_text(const std::vector<SeenAlgorithm>& seen) {
  std::string text;
  for (const SeenAlgorithm& one : seen) {
    text += (text.empty() ? "" : " > ") + seen_text(one);
  }
  return text;
}

const LibraryAlgorithm* library_row(const DecisionTable& table, const DecisionRule& rule) {
  return find_library_algorithm(table.target(), table.version(), rule.collective, rule.choice.library_name,
                                rule.choice.algorithm);
}

/// Why the algorithm that ran is not the rule's with its parameters; empty where it is.
std::string parameter_mismatch(const DecisionTable& table, const DecisionRule& rule, const SeenAlgorithm& ran) {
  const LibraryAlgorithm* const row = library_row(table, rule);
  if (row == nullptr) {
    return "";
  }
  if (row->takes_segment && ran.segment != rule.choice.segment) {
    return fmt::format("its segment is {} instead of {}", ran.segment, rule.choice.segment);
  }
  const auto wanted = rule.choice.parameters.find(row->fan_out);
  if (!row->fan_out.empty() && wanted != rule.choice.parameters.end() && wanted->second != ran.fan_out) {
    return fmt::format("its fan-out is {} instead of {}", ran.fan_out, wanted->second);
  }
  return "";
}

/// The algorithm called another one for the same collective instead of doing the work.
const SeenAlgorithm* replacement(const std::vector<SeenAlgorithm>& seen, const ExpectedNames& expected) {
  const std::string collective = expected.outer.substr(0, expected.outer.find(' '));
  for (const SeenAlgorithm& one : seen) {
    const bool is_same_collective =
        one.name.substr(0, one.name.find(' ')) == collective && collective != expected.outer;
    if (one.depth > 0 && is_same_collective && one.name != expected.outer) {
      return &one;
    }
  }
  return nullptr;
}

std::string why_not_in_force(const DecisionTable& table, const DecisionRule& rule,
                             const std::vector<SeenAlgorithm>& seen) {
  const ExpectedNames expected = expected_names(table.target(), rule.collective, rule.choice.library_name);
  if (seen.empty()) {
    return table.target() == TuningTarget::kOpenMpi
               ? "coll/tuned was not called: another component has a higher priority, or the number of ranks is 1"
               : "none of MPICH's algorithms was called: the shared-memory module or the device did it";
  }
  if (seen.front().name != expected.outer) {
    return fmt::format("{} ran instead: the file is not read, or other rules of it hold there; postage lint says why",
                       seen.front().name);
  }
  if (const SeenAlgorithm* const other = replacement(seen, expected)) {
    return fmt::format("it handed the call to {}: its conditions do not hold there", other->name);
  }
  if (expected.inner.empty()) {
    return parameter_mismatch(table, rule, seen.front());
  }
  const auto inner = std::ranges::find(seen, expected.inner, &SeenAlgorithm::name);
  return inner == seen.end() ? fmt::format("{} did not run within it", expected.inner)
                             : parameter_mismatch(table, rule, *inner);
}

}  // namespace

std::vector<SeenAlgorithm> parse_trace(std::string_view text) {
  std::vector<SeenAlgorithm> seen;
  std::istringstream entries{std::string(text)};
  for (std::string entry; std::getline(entries, entry, ';');) {
    SeenAlgorithm one;
    std::istringstream words(entry);
    std::vector<std::string> all;
    for (std::string word; words >> word;) {
      all.push_back(word);
    }
    if (all.size() < 4) {
      throw Error(fmt::format("the tracer wrote '{}', which is no algorithm", entry));
    }
    const auto number = [&](std::size_t from_end) {
      const std::string& word = all[all.size() - from_end];
      long value = 0;
      const auto [end, mistake] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (mistake != std::errc{} || end != word.data() + word.size()) {
        throw Error(fmt::format("the tracer wrote '{}', which is no algorithm", entry));
      }
      return value;
    };
    one = {.segment = number(3), .fan_out = static_cast<Index>(number(2)), .depth = static_cast<int>(number(1))};
    one.name = all.front();
    for (std::size_t i = 1; i + 3 < all.size(); ++i) {
      one.name += " " + all[i];
    }
    seen.push_back(std::move(one));
  }
  return seen;
}

std::string_view name_of(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::kInForce:
      return "in force";
    case ProofVerdict::kNotInForce:
      return "NOT IN FORCE";
    default:
      return "not tried";
  }
}

ProofRow judge_beside(const ProofCall& call, const std::vector<SeenAlgorithm>& seen,
                      const std::vector<SeenAlgorithm>& usual) {
  ProofRow row{.call = call, .verdict = ProofVerdict::kInForce, .seen = seen_text(seen)};
  if (seen != usual) {
    row.verdict = ProofVerdict::kNotInForce;
    row.reason = fmt::format("no rule holds there, and without the files {} runs", seen_text(usual));
  }
  return row;
}

ProofRow judge(const DecisionTable& table, const ProofCall& call, const std::vector<SeenAlgorithm>& seen) {
  ProofRow row{.call = call, .seen = seen_text(seen)};
  row.reason = why_not_in_force(table, *call.rule, seen);
  row.verdict = row.reason.empty() ? ProofVerdict::kInForce : ProofVerdict::kNotInForce;
  return row;
}

}  // namespace postage
