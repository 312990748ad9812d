#pragma once

#include <postage/platform/platform.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// What messages pass between groups of hosts: the links that the network's structure has beside the hosts' own.
inline constexpr const char* kSwitches = "switches";
/// The processors of all ranks: overheads, copying and combining.
inline constexpr const char* kProcessors = "processors";

/// A resource that is another one than was measured: "inter-node.bandwidth" times `factor`.
struct ResourceChange {
  std::string resource;
  double factor = 1;
  bool operator==(const ResourceChange&) const = default;
};

/// A machine that nobody has, as a question about one that was measured.
struct WhatIf {
  std::string text;
  std::vector<ResourceChange> changes{};
  std::optional<std::int32_t> nodes{};
  std::optional<std::int32_t> per_node{};
};

/// Reads "inter-node.bandwidth=x2,inter-node.latency=/2,nodes=512": factors after x or / of resources, and numbers of
/// nodes and of ranks on each. Throws UsageError naming the item that is none, a factor that is not above 0, or what is
/// given twice.
[[nodiscard]] WhatIf parse_what_if(std::string_view text);

/// The resources that a model's parameters and the platform's network tell of, in the order of the channels:
/// CHANNEL.latency, .bandwidth, .message-rate (one over the gap between messages) and .overhead (of the processors at
/// both ends, where it is the channel's); switches.bandwidth; processors.speed and, where ranks differ, "processor
/// N.speed" of the measured rank N. O(parameters).
[[nodiscard]] std::vector<std::string> resources_of(const Platform& platform, const ParameterTable& table);

/// The same list for people: processors by the range of their numbers.
[[nodiscard]] std::string describe_resources(const std::vector<std::string>& resources);

/// The change that makes a resource twice as good: twice the bandwidth, rate or speed, half the latency or overhead.
[[nodiscard]] ResourceChange twice_as_good(const std::string& resource);

/// The model's parameters on the changed machine; values keep the shares by which their intervals reach to either side.
/// Of a curve what grows with the size is bandwidth: a line through its first two points says what does not. Where
/// PLogP's gap would fall below an overhead, it is that overhead. Resources that the model does not tell of change
/// nothing. O(parameters).
[[nodiscard]] ParameterTable with_changes(ParameterTable table, const Platform& platform,
                                          std::span<const ResourceChange> changes);

/// The links between groups of hosts, as kSwitches changes them.
[[nodiscard]] NetworkStructure with_changes(NetworkStructure network, std::span<const ResourceChange> changes);

/// All models and the network.
[[nodiscard]] Platform with_changes(Platform platform, std::span<const ResourceChange> changes);

}  // namespace postage
