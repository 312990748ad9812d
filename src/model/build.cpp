#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

std::string describe(const ParameterScope& scope) {
  return scope.is_pair() ? fmt::format("ranks {} and {}", scope.first, scope.second)
                         : fmt::format("channel {}", scope.channel);
}

double value_of(const ParameterTable& table, const ParameterGroup& group, std::string_view symbol, Bound bound) {
  const auto found = group.values.find(std::string(symbol));
  if (found == group.values.end()) {
    throw Error(fmt::format("the {} model has no parameter {} for {}", table.model, symbol, describe(group.scope)));
  }
  const Estimate& estimate = found->second;
  const double value = bound == Bound::kLower   ? estimate.lower
                       : bound == Bound::kUpper ? estimate.upper
                                                : estimate.value;
  if (!std::isfinite(value) || estimate.value < 0) {
    throw Error(fmt::format("parameter {} of the {} model for {} is {}; it must be a number of at least 0", symbol,
                            table.model, describe(group.scope), value));
  }
  // An interval may reach below zero; a cost cannot.
  return std::max(value, 0.0);
}

HockneyLink read_link(const ParameterTable& table, const ParameterGroup& group, Bound bound, HockneyLink*) {
  return {value_of(table, group, "alpha", bound), value_of(table, group, "beta", bound)};
}

LogGPLink read_link(const ParameterTable& table, const ParameterGroup& group, Bound bound, LogGPLink*) {
  return {value_of(table, group, "L", bound), value_of(table, group, "o_s", bound),
          value_of(table, group, "o_r", bound), value_of(table, group, "g", bound), value_of(table, group, "G", bound)};
}

/// The groups of one scope, by size; the smallest messages need parameters too.
template <typename Link>
std::vector<Regime<Link>> regimes_of(const ParameterTable& table, const ParameterScope& scope, Bound bound) {
  std::vector<Regime<Link>> regimes;
  for (const ParameterGroup& group : table.groups) {
    if (group.scope == scope) {
      regimes.push_back({group.from_bytes, read_link(table, group, bound, static_cast<Link*>(nullptr))});
    }
  }
  std::sort(regimes.begin(), regimes.end(), [](const auto& a, const auto& b) { return a.from_bytes < b.from_bytes; });
  for (std::size_t i = 1; i < regimes.size(); ++i) {
    if (regimes[i].from_bytes == regimes[i - 1].from_bytes) {
      throw Error(fmt::format("the {} model has two sets of parameters for {} from {} bytes", table.model,
                              describe(scope), regimes[i].from_bytes));
    }
  }
  if (regimes.front().from_bytes != 0) {
    throw Error(fmt::format("the {} model has no parameters for {} below {} bytes", table.model, describe(scope),
                            regimes.front().from_bytes));
  }
  return regimes;
}

ChannelId channel_number(const ParameterTable& table, std::span<const std::string> channels, const std::string& name) {
  const auto found = std::find(channels.begin(), channels.end(), name);
  if (found == channels.end()) {
    throw Error(fmt::format("the {} model has parameters for channel {}, which is none of the platform's: {}",
                            table.model, name, fmt::join(channels, ", ")));
  }
  return static_cast<ChannelId>(found - channels.begin());
}

template <typename Link>
LinkTable<Link> build_links(const ParameterTable& table, std::span<const std::string> channels, Bound bound) {
  LinkTable<Link> links;
  std::vector<ParameterScope> done;
  for (const ParameterGroup& group : table.groups) {
    // Groups of one scope stand together in files that postage wrote; the search costs nothing there.
    if (std::find(done.rbegin(), done.rend(), group.scope) != done.rend()) {
      continue;
    }
    done.push_back(group.scope);
    auto regimes = regimes_of<Link>(table, group.scope, bound);
    if (group.scope.is_pair()) {
      links.set_pair(group.scope.first, group.scope.second, std::move(regimes));
    } else {
      links.set_channel(channel_number(table, channels, group.scope.channel), std::move(regimes));
    }
  }
  return links;
}

}  // namespace

Model build_model(const ParameterTable& table, std::span<const std::string> channels, Bound bound) {
  const ModelDescription& description = find_model(table.model);
  if (table.groups.empty()) {
    throw Error(fmt::format("the {} model has no parameters", table.model));
  }
  if (description.name == "hockney") {
    return Hockney{build_links<HockneyLink>(table, channels, bound)};
  }
  return LogGP{build_links<LogGPLink>(table, channels, bound)};
}

}  // namespace postage
