#include "measure/built_in_experiments.hpp"
#include "measure/experiment_descriptor.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>

namespace postage {
namespace {

using Field = ExperimentField;

ExperimentFields fields_of(Participants participants) {
  switch (participants) {
    case Participants::kOneRank:
      return {Field::kSource};
    case Participants::kPair:
      return {Field::kSource, Field::kTarget};
    case Participants::kTriple:
      return {Field::kSource, Field::kTarget, Field::kSecondTarget};
    case Participants::kMembers:
      return {Field::kMembers, Field::kChannel, Field::kMethod};
    case Participants::kAllRanks:
      break;
  }
  return {Field::kRoot, Field::kRanks, Field::kMethod};
}

/// Whose elements stay where they are.
using Registry = std::deque<ExperimentDescriptor>;

void add(Registry& registry, ExperimentDescriptor descriptor) {
  for (const ExperimentDescriptor& known : registry) {
    if (known.name == descriptor.name || known.order == descriptor.order) {
      throw Error(fmt::format("experiment {} of order {}: {} of order {} is there already", descriptor.name,
                              descriptor.order, known.name, known.order));
    }
    if (known.stage == descriptor.stage && known.participants != descriptor.participants) {
      throw Error(fmt::format("experiment {} cannot be made in stage {}, where {} has other participants",
                              descriptor.name, descriptor.stage, known.name));
    }
  }
  registry.push_back(std::move(descriptor));
}

Registry& registry() {
  static Registry all = [] {
    Registry built_in;
    for (ExperimentDescriptor& descriptor : built_in_experiments()) {
      add(built_in, std::move(descriptor));
    }
    return built_in;
  }();
  return all;
}

}  // namespace

ExperimentKind ExperimentDescriptor::kind() const {
  return ExperimentKind(name, fields_of(participants).with(fields));
}

std::vector<const ExperimentDescriptor*> known_experiments() {
  std::vector<const ExperimentDescriptor*> all;
  for (const ExperimentDescriptor& descriptor : registry()) {
    all.push_back(&descriptor);
  }
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
  return all;
}

void register_experiment(ExperimentDescriptor descriptor) {
  add(registry(), std::move(descriptor));
}

const ExperimentDescriptor& find_experiment(const ExperimentKind& kind) {
  const auto found =
      std::find_if(registry().begin(), registry().end(), [&](const auto& known) { return known.name == kind.name(); });
  if (found == registry().end()) {
    throw Error(fmt::format("there is no experiment {}", kind.name()));
  }
  return *found;
}

std::vector<PlanOption> plan_options() {
  std::vector<PlanOption> options;
  for (const ExperimentDescriptor* experiment : known_experiments()) {
    options.insert(options.end(), experiment->options.begin(), experiment->options.end());
  }
  return options;
}

PlanOption find_plan_option(std::string_view name) {
  std::string names;
  for (const PlanOption& option : plan_options()) {
    if (option.name == name) {
      return option;
    }
    names += (names.empty() ? "" : ", ") + std::string(option.name);
  }
  throw UsageError(unknown_name("option", std::string(name), names));
}

}  // namespace postage
