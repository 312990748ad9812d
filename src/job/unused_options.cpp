#include "job/unused_options.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// The parameters of all algorithms of a collective: "radix, length"; empty where there is none.
std::string known_settings(Collective collective) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    for (const AlgorithmParameter& parameter : algorithm.parameters) {
      if (std::ranges::find(names, parameter.name) == names.end()) {
        names.emplace_back(parameter.name);
      }
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

bool any_algorithm_has(Collective collective, const std::string& setting) {
  return std::ranges::any_of(algorithms_of(collective), [&](const Algorithm& algorithm) {
    return std::ranges::any_of(algorithm.parameters, [&](const auto& one) { return one.name == setting; });
  });
}

/// Where all algorithms are asked for, a parameter of one of them is no mistake of the others.
void check_known_settings(Collective collective, const std::vector<std::string>& settings) {
  for (const auto& [name, value] : parse_settings(settings)) {
    if (!any_algorithm_has(collective, name)) {
      const std::string known = known_settings(collective);
      throw UsageError(fmt::format("--set {}: no {} algorithm has this parameter; {}", name, name_of(collective),
                                   known.empty() ? "they have none: leave it out" : "they have " + known));
    }
  }
}

}  // namespace

void check_root(Collective collective, Rank root) {
  if (root != 0 && !has_root(collective)) {
    throw UsageError(fmt::format("{} has no root: leave out --root", name_of(collective)));
  }
}

void check_node_aware(const NodeAwareOptions& node_aware, bool has_algorithm, bool has_settings) {
  if (node_aware.is_given() && (has_algorithm || has_settings)) {
    throw UsageError(fmt::format("--within and --among name the algorithms: leave out {}",
                                 has_algorithm ? "the other one" : "--set"));
  }
}

void check_collective_options(const JobOptions& options) {
  const JobOptions usual;
  check_node_aware(options.node_aware, options.algorithm != usual.algorithm, !options.settings.empty());
  const Collective collective = collective_of(options);
  if (!options.tree) {  // which has a root of its own
    check_root(collective, options.root);
  }
  if (options.algorithm == usual.algorithm) {
    check_known_settings(collective, options.settings);
  }
}

}  // namespace postage
