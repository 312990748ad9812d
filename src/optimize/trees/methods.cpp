#include <postage/base/error.hpp>
#include <postage/optimize/trees.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace postage {
namespace {

struct NamedMethod {
  TreeMethod method;
  std::string_view name;
};

constexpr std::array kMethodNames{NamedMethod{TreeMethod::kFlat, "flat"},
                                  NamedMethod{TreeMethod::kBinomial, "binomial"},
                                  NamedMethod{TreeMethod::kMappedBinomial, "mapped-binomial"},
                                  NamedMethod{TreeMethod::kWorstBinomial, "worst-binomial"},
                                  NamedMethod{TreeMethod::kFastestEdgeFirst, "fastest-edge-first"},
                                  NamedMethod{TreeMethod::kFastestNodeFirst, "fastest-node-first"},
                                  NamedMethod{TreeMethod::kEarliestEdgeFirst, "earliest-edge-first"},
                                  NamedMethod{TreeMethod::kWidestEdgeLast, "widest-edge-last"},
                                  NamedMethod{TreeMethod::kFormForEqualRanks, "form-for-equal-ranks"},
                                  NamedMethod{TreeMethod::kOptimised, "optimised"},
                                  NamedMethod{TreeMethod::kExact, "exact"}};

}  // namespace

std::string_view name_of(TreeMethod method) {
  return std::ranges::find(kMethodNames, method, &NamedMethod::method)->name;
}

TreeMethod parse_tree_method(std::string_view name) {
  const auto* const found = std::ranges::find(kMethodNames, name, &NamedMethod::name);
  if (found == kMethodNames.end()) {
    std::string names;
    for (const NamedMethod& one : kMethodNames) {
      names.append(names.empty() ? "" : ", ").append(one.name);
    }
    throw UsageError(unknown_name("method", std::string(name), names));
  }
  return found->method;
}

}  // namespace postage
