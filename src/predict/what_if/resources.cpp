#include "predict/what_if/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postage {
namespace {

constexpr std::string_view kOneProcessor = "processor ";

bool has_bandwidth(const NetworkStructure& network) {
  const auto is_known = [](const auto& one) { return one.bandwidth.has_value(); };
  const auto any = [](const auto& bandwidths) {
    return std::ranges::any_of(bandwidths, [](const auto& one) { return one.has_value(); });
  };
  return std::ranges::any_of(network.levels, is_known) || (network.torus && any(network.torus->bandwidths)) ||
         network.backbone.has_value();
}

std::set<std::string> all_resources(const Platform& platform, const ParameterTable& table) {
  std::set<std::string> all;
  const EffectFinder finder(platform, table);
  const auto add = [&](const std::vector<std::string>& names) { all.insert(names.begin(), names.end()); };
  for (const ParameterGroup& group : table.groups) {
    for (const auto& [symbol, estimate] : group.values) {
      add(finder.effect_of(group, symbol).fixed);
    }
    const auto add_curve = [&](const std::string& symbol, const ParameterCurve& curve) {
      const ParameterEffect effect = finder.effect_of(group, symbol);
      add(effect.fixed);
      if (curve.size() > 1) {
        add(effect.growing);
      }
    };
    for (const auto& [symbol, curve] : group.curves) {
      add_curve(symbol, curve);
    }
    for (const auto& [symbol, surface] : group.surfaces) {
      for (const ParameterRow& row : surface) {
        add_curve(symbol, row.curve);
      }
    }
  }
  const bool any_processor =
      std::ranges::any_of(table.groups, [](const ParameterGroup& group) { return group.scope.is_processor(); });
  for (std::size_t rank = 0; any_processor && rank < table.kind_of_rank.size(); ++rank) {
    all.insert(resource_name(processor_name(static_cast<int>(rank)), kOfSpeed));
  }
  return all;
}

/// Channels as the platform has them, then the network, the processors, and single ones.
std::size_t position_of(const Platform& platform, std::string_view resource) {
  const std::string_view owner = resource.substr(0, resource.rfind('.'));
  const auto channel = std::ranges::find(platform.channels, owner);
  if (channel != platform.channels.end() || owner == kAllChannels) {
    return static_cast<std::size_t>(channel - platform.channels.begin());
  }
  const std::size_t behind = platform.channels.size() + (owner == kSwitches ? 1 : owner == kProcessors ? 2 : 3);
  return owner.starts_with(kOneProcessor) ? behind + std::stoul(std::string(owner.substr(kOneProcessor.size())))
                                          : behind;
}

void scale_rate(std::optional<Estimate>& rate, double factor) {
  if (rate) {
    rate = Estimate{rate->value * factor, rate->lower * factor, rate->upper * factor};
  }
}

}  // namespace

std::vector<std::string> resources_of(const Platform& platform, const ParameterTable& table) {
  const std::set<std::string> all = all_resources(platform, table);
  std::vector<std::string> resources(all.begin(), all.end());
  if (platform.network && platform.network->has_shared_links() && has_bandwidth(*platform.network)) {
    resources.push_back(resource_name(kSwitches, kOfBandwidth));
  }
  std::ranges::stable_sort(resources, {}, [&](const std::string& one) { return position_of(platform, one); });
  return resources;
}

std::string describe_resources(const std::vector<std::string>& resources) {
  std::vector<std::string> names;
  std::vector<std::string> processors;
  for (const std::string& one : resources) {
    (one.starts_with(kOneProcessor) ? processors : names).push_back(one);
  }
  if (processors.size() > 2) {
    const auto number = [](const std::string& name) {
      return name.substr(kOneProcessor.size(), name.rfind('.') - kOneProcessor.size());
    };
    processors = {
        fmt::format("processor N.speed with N from {} to {}", number(processors.front()), number(processors.back()))};
  }
  names.insert(names.end(), processors.begin(), processors.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

ResourceChange twice_as_good(const std::string& resource) {
  return {resource, is_rate(std::string_view(resource).substr(resource.rfind('.') + 1)) ? 2.0 : 0.5};
}

NetworkStructure with_changes(NetworkStructure network, std::span<const ResourceChange> changes) {
  double factor = 1;
  for (const ResourceChange& change : changes) {
    factor *= change.resource == resource_name(kSwitches, kOfBandwidth) ? change.factor : 1;
  }
  for (GroupLevel& level : network.levels) {
    scale_rate(level.bandwidth, factor);
  }
  scale_rate(network.backbone, factor);
  for (HostGroup& group : network.groups) {
    scale_rate(group.up, factor);
    scale_rate(group.down, factor);
  }
  if (network.torus) {
    for (std::optional<Estimate>& bandwidth : network.torus->bandwidths) {
      scale_rate(bandwidth, factor);
    }
  }
  return network;
}

}  // namespace postage
