#include "platform/json/held_out_json.hpp"
#include "platform/json/measured_points_json.hpp"
#include "platform/json/network_json.hpp"
#include "platform/json/parameters_json.hpp"

#include <postage/base/files.hpp>
#include <postage/platform/platform.hpp>
#include <postage/platform/platform_json.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// Ranks refer to nodes and cores; a broken reference would be read past an array's end later.
void check_placements(const Platform& platform, const JsonField& file) {
  for (std::size_t rank = 0; rank < platform.ranks.size(); ++rank) {
    const RankPlacement& placement = platform.ranks[rank];
    const auto node = static_cast<std::size_t>(placement.node);
    if (node >= platform.nodes.size() ||
        static_cast<std::size_t>(placement.core) >= platform.nodes[node].topology.cores.size()) {
      throw file["ranks"].wrong(fmt::format("nodes and cores that exist; rank {} names node {}, core {}", rank,
                                            placement.node, placement.core));
    }
  }
}

}  // namespace

Json to_json(const Platform& platform) {
  Json value{{"format", kPlatformFormat},
             {"version", kPlatformVersion},
             {"name", platform.name},
             {"implementation", platform.implementation},
             {"created", platform.created},
             {"is_virtual", platform.is_virtual},
             {"channels", platform.channels},
             {"nodes", Json::array()},
             {"ranks", Json::array()},
             {"models", Json::array()},
             {"points", to_json(platform.points)}};
  for (const Node& node : platform.nodes) {
    value["nodes"].push_back(to_json(node));
  }
  for (const RankPlacement& placement : platform.ranks) {
    value["ranks"].push_back(to_json(placement));
  }
  for (const ParameterTable& table : platform.models) {
    value["models"].push_back(to_json(table));
  }
  if (!platform.held_out.empty()) {
    value["held_out"] = to_json(platform.held_out);
  }
  add_thresholds(value, platform.shm_protocols);
  if (platform.network) {
    value["network"] = to_json(*platform.network);
  }
  return value;
}

Platform platform_from_json(const Json& value, const std::filesystem::path& source) {
  check_envelope(value, kPlatformFormat, kPlatformVersion, source);
  const JsonField file(value, source);
  Platform platform{.name = file["name"].text(),
                    .implementation = file["implementation"].text(),
                    .created = file["created"].text(),
                    .is_virtual = file["is_virtual"].truth()};
  file["channels"].for_each_item([&](const JsonField& name) { platform.channels.push_back(name.text()); });
  file["nodes"].for_each_item([&](const JsonField& node) { platform.nodes.push_back(read_node(node)); });
  file["ranks"].for_each_item([&](const JsonField& placement) { platform.ranks.push_back(read_placement(placement)); });
  file["models"].for_each_item([&](const JsonField& table) { platform.models.push_back(read_table(table)); });
  platform.points = read_points(file["points"]);
  if (file.has("held_out")) {
    platform.held_out = read_held_out(file["held_out"]);
  }
  platform.shm_protocols = read_all_thresholds(file);
  if (file.has("network")) {
    platform.network = read_network(file["network"], platform.nodes.size());
  }
  check_placements(platform, file);
  return platform;
}

Platform read_platform(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw UsageError(
        fmt::format("cannot read {0}: there is no such file; postage measure -o {0} writes one", path.string()));
  }
  const Json json = read_json(path);
  try {
    return platform_from_json(json, path);
  } catch (const Error& mistake) {
    throw UsageError(mistake.what());
  }
}

void write_platform(const std::filesystem::path& path, const Platform& platform) {
  const Json value = to_json(platform);
  static_cast<void>(platform_from_json(value, path));
  write_json(path, value);
}

}  // namespace postage
