#include "cli/tables/algorithm_list.hpp"

#include "cli/table.hpp"

#include <postage/job/algorithm_list.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

std::string parameters_of(const Algorithm& algorithm) {
  std::string text;
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name, parameter.default_value);
  }
  return text;
}

}  // namespace

void print_algorithms() {
  Table table({{"collective"}, {"algorithm"}, {"P"}, {"segments"}, {"--set"}, {"description"}, {"counterparts"}});
  for (const Algorithm& algorithm : algorithms()) {
    table.add_row({std::string(name_of(algorithm.collective)), std::string(algorithm.name), rank_rule_of(algorithm),
                   algorithm.segmentable ? "yes" : "no", parameters_of(algorithm), std::string(algorithm.summary),
                   counterparts_of(algorithm)});
  }
  fmt::print("{}", table.render(output_width()));
}

}  // namespace postage
