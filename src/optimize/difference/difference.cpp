#include "optimize/difference/flat_parameters.hpp"
#include "optimize/difference/sample_predictions.hpp"

#include <postage/base/statistics.hpp>
#include <postage/model/group_reader.hpp>
#include <postage/platform/host_list.hpp>
#include <postage/predict/model_choice.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

/// Half an interval of 95 % of a normal error is so many standard deviations.
constexpr double kHalfIntervals = 1.959964;
/// Of a model more changes are listed without their effect.
constexpr std::size_t kMostEffects = 150;

double half_width(const Estimate& estimate) {
  const double half = (estimate.upper - estimate.lower) / 2;
  return std::isnan(half) ? std::numeric_limits<double>::infinity() : half;
}

/// What is compared, and by how much intervals are widened for that.
class ChangeFinder {
 public:
  ChangeFinder(std::size_t compared, double least) : least_(least) {
    // Normal quantile as that of Student's t with many degrees of freedom.
    const double tail = 0.025 / static_cast<double>(std::max<std::size_t>(compared, 1));
    widened_ = student_t_quantile(1 - tail, 1e6) / kHalfIntervals;
  }

  void add_changes(const FlatParameters& before, const FlatParameters& after,
                   std::vector<ParameterChange>& changes) const {
    for (const auto& [key, old] : before) {
      const auto found = after.find(key);
      if (found != after.end() && has_moved(old, found->second)) {
        const double ratio = old.value == 0 ? std::numeric_limits<double>::infinity() : found->second.value / old.value;
        changes.push_back({.key = key, .before = old, .after = found->second, .change = ratio - 1});
      }
    }
  }

 private:
  [[nodiscard]] bool has_moved(const Estimate& old, const Estimate& now) const {
    const double apart = std::abs(now.value - old.value);
    return apart > least_ * std::max(std::abs(old.value), std::abs(now.value)) &&
           apart > widened_ * std::hypot(half_width(old), half_width(now));
  }

  double least_;
  double widened_ = 1;
};

std::vector<std::string> names_of(const std::vector<Node>& nodes) {
  std::vector<std::string> names;
  for (const Node& node : nodes) {
    names.push_back(node.name);
  }
  return names;
}

std::vector<std::string> only_in(std::vector<std::string> a, std::vector<std::string> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::vector<std::string> only;
  std::ranges::set_difference(a, b, std::back_inserter(only));
  return only;
}

void compare_lists(const std::vector<std::string>& a, const std::vector<std::string>& b, const std::string& what,
                   std::vector<std::string>& sentences) {
  for (const auto& [own, other, file] : {std::tuple(&a, &b, "first"), {&b, &a, "second"}}) {
    if (const std::vector<std::string> only = only_in(*own, *other); !only.empty()) {
      sentences.push_back(fmt::format("{} {}{} only in the {} file: {}", only.size(), what,
                                      only.size() == 1 ? " is" : "s are", file, format_host_list(only)));
    }
  }
}

std::vector<std::string> model_names(const Platform& platform) {
  std::vector<std::string> names;
  for (const ParameterTable& table : platform.models) {
    names.push_back(table.model);
  }
  return names;
}

std::string list_of(const std::set<Bytes>& sizes) {
  std::string text;
  for (const Bytes bytes : sizes) {
    text += (text.empty() ? "" : ", ") + format_bytes(bytes);
  }
  return text;
}

void compare_starts(const std::string& model, const ScopeStarts& before, const ScopeStarts& after,
                    std::vector<std::string>& sentences) {
  for (const auto& [scope, sizes] : before) {
    const auto found = after.find(scope);
    if (!scope.channel.empty() && found != after.end() && found->second != sizes) {
      sentences.push_back(
          fmt::format("{}: parameters of {} change at sizes of {} in the first file, of {} in the second", model,
                      describe(scope), list_of(sizes), list_of(found->second)));
    }
  }
}

/// Pairs and processors that have parameters of their own in one file only.
void compare_scopes(const ParameterTable& before, const ParameterTable& after, std::vector<std::string>& sentences) {
  const ScopeStarts a = starts_of(before);
  const ScopeStarts b = starts_of(after);
  for (const auto& [own, other, file] : {std::tuple(&a, &b, "first"), {&b, &a, "second"}}) {
    const auto is_alone = [other = other](const auto& scope) { return !other->contains(scope.first); };
    const auto count = std::ranges::count_if(*own, is_alone);
    if (count > 0) {
      sentences.push_back(fmt::format("{}: {} scopes have parameters of their own in the {} file only, like {}",
                                      before.model, count, file,
                                      describe(std::ranges::find_if(*own, is_alone)->first)));
    }
  }
}

std::vector<std::string> structure_of(const Platform& before, const Platform& after) {
  std::vector<std::string> sentences;
  compare_lists(names_of(before.nodes), names_of(after.nodes), "host", sentences);
  compare_lists(before.channels, after.channels, "channel", sentences);
  compare_lists(model_names(before), model_names(after), "model", sentences);
  if (before.implementation != after.implementation) {
    sentences.push_back(
        fmt::format("the first was measured with {}, the second with {}", before.implementation, after.implementation));
  }
  if (before.nodes != after.nodes && sentences.empty()) {
    sentences.emplace_back("the hosts have other cores, or another order");
  }
  if (before.network != after.network && before.network && after.network &&
      (before.network->levels.size() != after.network->levels.size() ||
       before.network->groups.size() != after.network->groups.size() ||
       before.network->torus.has_value() != after.network->torus.has_value())) {
    sentences.emplace_back("their networks have other groups: see postage topology");
  }
  return sentences;
}

ScopeStarts joined(ScopeStarts a, const ScopeStarts& b) {
  for (const auto& [scope, sizes] : b) {
    a[scope].insert(sizes.begin(), sizes.end());
  }
  return a;
}

/// Those of one model, each with what it does to the sample predictions.
void add_effects(const Platform& platform, const ParameterTable& table, std::vector<ParameterChange>& changes) {
  const std::map<std::string, double> usual = sample_predictions(platform, table);
  std::ranges::stable_sort(changes, std::greater<>(), [](const ParameterChange& c) { return std::abs(c.change); });
  for (std::size_t i = 0; i < changes.size() && i < kMostEffects && !usual.empty(); ++i) {
    const std::map<std::string, double> moved =
        sample_predictions(platform, with_value(table, changes[i].key, changes[i].after));
    for (const auto& [collective, seconds] : moved) {
      const double effect = std::abs(seconds / usual.at(collective) - 1);
      if (!changes[i].effect || effect > *changes[i].effect) {
        changes[i].effect = effect;
        changes[i].collective = collective;
      }
    }
  }
}

void add_predictions(const Platform& before, const ParameterTable& old, const Platform& after,
                     const ParameterTable& now, std::vector<PredictionChange>& predictions) {
  const std::map<std::string, double> then = sample_predictions(after, now);
  for (const auto& [collective, seconds] : sample_predictions(before, old)) {
    if (const auto found = then.find(collective); found != then.end()) {
      predictions.push_back({old.model, collective, seconds, found->second});
    }
  }
}

}  // namespace

PlatformDifference difference_of(const Platform& before, const Platform& after, const DifferenceSettings& settings) {
  PlatformDifference difference{.structure = structure_of(before, after)};
  const bool channels_only = before.nodes != after.nodes || before.ranks != after.ranks;
  std::vector<std::pair<FlatParameters, FlatParameters>> pairs{{measured_times(before), measured_times(after)}};
  std::vector<std::pair<const ParameterTable*, const ParameterTable*>> tables{{nullptr, nullptr}};
  for (const ParameterTable& table : before.models) {
    if (const ParameterTable* other = find_table(table.model, after.models)) {
      compare_starts(table.model, starts_of(table), starts_of(*other), difference.notes);
      if (!channels_only) {
        compare_scopes(table, *other, difference.structure);
      }
      const ScopeStarts starts = joined(starts_of(table), starts_of(*other));
      pairs.emplace_back(flat_parameters(table, starts, channels_only), flat_parameters(*other, starts, channels_only));
      tables.emplace_back(&table, other);
    }
  }
  for (const auto& [old, now] : pairs) {
    difference.compared += static_cast<std::size_t>(
        std::ranges::count_if(old, [&](const auto& parameter) { return now.contains(parameter.first); }));
  }
  const ChangeFinder finder(difference.compared, settings.least);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::vector<ParameterChange> changes;
    finder.add_changes(pairs[i].first, pairs[i].second, changes);
    if (tables[i].first != nullptr) {
      add_effects(before, *tables[i].first, changes);
      add_predictions(before, *tables[i].first, after, *tables[i].second, difference.predictions);
    } else {
      std::ranges::for_each(changes, [](ParameterChange& change) { change.effect = std::abs(change.change); });
    }
    std::ranges::move(changes, std::back_inserter(difference.changes));
  }
  std::ranges::stable_sort(difference.changes, std::greater<>(),
                           [](const ParameterChange& change) { return change.effect.value_or(-1); });
  return difference;
}

std::string describe(const ParameterKey& key) {
  std::string text = fmt::format("{}: {} of {}", key.model, key.symbol, describe(key.scope));
  text += key.from_bytes > 0 ? " from " + format_bytes(key.from_bytes) : "";
  text += key.at ? fmt::format(" with {:g}", *key.at) : "";
  return text + (key.bytes ? " at " + format_bytes(*key.bytes) : "");
}

}  // namespace postage
