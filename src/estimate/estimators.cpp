#include "estimate/estimators.hpp"

#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace postage {
namespace {

/// Where the model stands among all models. Throws UsageError where it does not exist.
std::ptrdiff_t position_of(std::string_view model) {
  const auto all = models();
  return std::find(all.begin(), all.end(), &find_model(model)) - all.begin();
}

void add(std::vector<Estimator>& list, Estimator estimator) {
  const auto next =
      std::lower_bound(list.begin(), list.end(), position_of(estimator.model),
                       [](const Estimator& one, auto position) { return position_of(one.model) < position; });
  if (next != list.end() && next->model == estimator.model) {
    throw UsageError(fmt::format("the {} model has two estimators", estimator.model));
  }
  list.insert(next, std::move(estimator));
}

std::vector<Estimator>& mutable_estimators() {
  static std::vector<Estimator> list = [] {
    std::vector<Estimator> sorted;
    for (Estimator& estimator : builtin_estimators()) {
      add(sorted, std::move(estimator));
    }
    return sorted;
  }();
  return list;
}

}  // namespace

const std::vector<Estimator>& estimators() {
  return mutable_estimators();
}

void register_estimator(Estimator estimator) {
  add(mutable_estimators(), std::move(estimator));
}

std::vector<std::string> estimated_models() {
  std::vector<std::string> names;
  for (const Estimator& estimator : estimators()) {
    names.push_back(estimator.model);
  }
  return names;
}

}  // namespace postage
