#include "model/builtin_models.hpp"
#include "model/parameters.hpp"

#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/model/table_reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <tuple>
#include <utility>

namespace postage {
namespace {

class Registry {
 public:
  Registry() {
    for (ModelDescriptor& descriptor : builtin_models()) {
      add(std::move(descriptor));
    }
  }

  void add(ModelDescriptor descriptor) {
    check(descriptor);
    const bool has_gamma = std::any_of(descriptor.parameters.begin(), descriptor.parameters.end(),
                                       [](const auto& parameter) { return parameter.symbol == kGamma.symbol; });
    if (!has_gamma) {
      descriptor.parameters.push_back(kGamma);
    }
    owned_.push_back(std::make_unique<const ModelDescriptor>(std::move(descriptor)));
    const ModelDescriptor* added = owned_.back().get();
    const auto is_before = [](const ModelDescriptor* a, const ModelDescriptor* b) {
      return std::tie(a->order, a->name) < std::tie(b->order, b->name);
    };
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), added, is_before), added);
  }

  [[nodiscard]] std::span<const ModelDescriptor* const> sorted() const { return sorted_; }

 private:
  void check(const ModelDescriptor& descriptor) const {
    if (descriptor.name.empty() || descriptor.equation.empty() || descriptor.build == nullptr) {
      throw UsageError(
          fmt::format("the descriptor of model '{}' lacks its name, its equation or the function that "
                      "builds it from a table",
                      descriptor.name));
    }
    const bool is_taken =
        std::any_of(sorted_.begin(), sorted_.end(), [&](const auto* known) { return known->name == descriptor.name; });
    if (is_taken) {
      throw UsageError(fmt::format("there are two models '{}'; each needs a name of its own", descriptor.name));
    }
  }

  std::vector<std::unique_ptr<const ModelDescriptor>> owned_;
  std::vector<const ModelDescriptor*> sorted_;
};

Registry& registry() {
  static Registry one;
  return one;
}

}  // namespace

bool ParameterDescription::matches(std::string_view name) const {
  if (symbol.ends_with("_i")) {
    const std::string_view stem = symbol.substr(0, symbol.size() - 1);
    const std::string_view index = name.substr(std::min(stem.size(), name.size()));
    return name.starts_with(stem) && !index.empty() &&
           std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  if (symbol.ends_with("@c")) {
    const std::string_view stem = symbol.substr(0, symbol.size() - 1);
    return name.starts_with(stem) && name.size() > stem.size();
  }
  return name == symbol;
}

std::span<const ModelDescriptor* const> models() {
  return registry().sorted();
}

void register_model(ModelDescriptor descriptor) {
  registry().add(std::move(descriptor));
}

const ModelDescriptor& find_model(std::string_view name) {
  std::string valid;
  for (const ModelDescriptor* model : models()) {
    if (model->name == name) {
      return *model;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(model->name);
  }
  throw UsageError(unknown_name("model", std::string(name), valid));
}

std::vector<std::string> parse_models(std::string_view text) {
  std::vector<std::string> chosen;
  if (text == "all") {
    for (const ModelDescriptor* model : models()) {
      chosen.emplace_back(model->name);
    }
    return chosen;
  }
  std::istringstream in{std::string(text)};
  for (std::string name; std::getline(in, name, ',');) {
    chosen.emplace_back(find_model(name).name);
  }
  return chosen;
}

std::vector<std::string_view> models_by_accuracy() {
  std::vector<const ModelDescriptor*> ranked(models().begin(), models().end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto* a, const auto* b) { return a->accuracy_rank < b->accuracy_rank; });
  std::vector<std::string_view> names;
  for (const ModelDescriptor* model : ranked) {
    names.push_back(model->name);
  }
  return names;
}

Model build_model(const ParameterTable& table, std::span<const std::string> channels, Bound bound) {
  const ModelDescriptor& descriptor = find_model(table.model);
  if (table.groups.empty()) {
    throw Error(fmt::format("the {} model has no parameters", table.model));
  }
  return descriptor.build({table, descriptor, channels, bound});
}

}  // namespace postage
