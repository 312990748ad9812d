#include "tuning/lint/mpich/siblings.hpp"

#include "tuning/lint/mpich/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace postage {
namespace {

/// Numbers of the same key.
bool covers_all_of(const MpichKey& wide, const MpichKey& narrow) {
  const auto bound = [](const MpichKey& key) {
    return std::atoll(key.value.c_str()) - (key.comparison == "<" ? 1 : 0);
  };
  return wide.value != "pow2" && narrow.value != "pow2" && bound(narrow) <= bound(wide);
}

}  // namespace

void check_beside_leaf(const JsonLine& object, LintFindings& findings) {
  const auto other = std::ranges::find_if(
      object.items, [](const JsonLine& member) { return !parse_mpich_key(member.name).is_leaf(); });
  if (other != object.items.end()) {
    findings.add(other->line, LintEffect::kAborts, "siblings",
                 fmt::format("\"{}\" stands beside an algorithm: MPI_Init aborts", other->name), "the algorithm alone");
    return;
  }
  for (std::size_t i = 0; i + 1 < object.items.size(); ++i) {
    findings.add(object.items[i].line, LintEffect::kRuleIgnored, "siblings",
                 fmt::format("of several algorithms the last one is taken, and not \"{}\"", object.items[i].name),
                 "one algorithm");
  }
}

void check_sequence(const JsonLine& object, std::size_t at, LintFindings& findings) {
  const JsonLine& member = object.items[at];
  const MpichKey key = parse_mpich_key(member.name);
  for (std::size_t i = 0; i < at; ++i) {
    const MpichKey before = parse_mpich_key(object.items[i].name);
    if (object.items[i].name == member.name) {
      findings.add(member.line, LintEffect::kRuleIgnored, "repeated",
                   fmt::format("\"{}\" is there twice: the first is replaced", member.name), "each key once");
      return;
    }
    if (before.name == key.name && key.comparison != "=" && before.comparison != "=" && covers_all_of(before, key)) {
      findings.add(member.line, LintEffect::kRuleIgnored, "unsorted",
                   fmt::format("\"{}\" is never reached, since \"{}\" before it matches all that it matches",
                               member.name, object.items[i].name),
                   "sizes in ascending order");
      return;
    }
  }
}

}  // namespace postage
