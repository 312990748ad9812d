#include "platform/platform_json.hpp"

#include <postage/base/files.hpp>
#include <postage/platform/platform.hpp>

#include <fmt/format.h>

#include <limits>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Json to_json(const Estimate& e) {
  return {{"value", e.value}, {"lower", e.lower}, {"upper", e.upper}};
}

Estimate read_estimate(const JsonField& field) {
  return {field["value"].number(), field["lower"].bound(-kInfinity), field["upper"].bound(kInfinity)};
}

Json to_json(const Core& c) {
  return {{"pu", c.pu}, {"socket", c.socket}, {"numa", c.numa}, {"cache", c.cache}};
}

Core read_core(const JsonField& field) {
  return {field["pu"].count<int>(), field["socket"].count<int>(), field["numa"].count<int>(),
          field["cache"].count<int>()};
}

Json to_json(const ParameterScope& scope) {
  if (scope.is_processor()) {
    return {{"processor", scope.processor}};
  }
  return scope.is_pair() ? Json{{"pair", {scope.first, scope.second}}} : Json{{"channel", scope.channel}};
}

ParameterScope read_scope(const JsonField& field) {
  if (field.has("processor")) {
    return {.processor = field["processor"].count<int>()};
  }
  if (!field.has("pair")) {
    return {.channel = field["channel"].text()};
  }
  std::vector<int> pair;
  field["pair"].for_each_item([&](const JsonField& rank) { pair.push_back(rank.count<int>()); });
  if (pair.size() != 2 || pair[0] >= pair[1]) {
    throw field["pair"].wrong("two ranks, the lower one first");
  }
  return {.channel = "", .first = pair[0], .second = pair[1]};
}

Json to_json(const ParameterCurve& curve) {
  Json points = Json::array();
  for (const ParameterPoint& point : curve) {
    Json value = to_json(point.estimate);
    value["bytes"] = point.bytes;
    points.push_back(std::move(value));
  }
  return {{"points", std::move(points)}};
}

ParameterCurve read_curve(const JsonField& field) {
  ParameterCurve curve;
  field["points"].for_each_item([&](const JsonField& point) {
    curve.push_back({point["bytes"].count<Bytes>(), read_estimate(point)});
  });
  if (curve.empty()) {
    throw field["points"].wrong("at least one point");
  }
  return curve;
}

Json to_json(const ParameterSurface& surface) {
  Json rows = Json::array();
  for (const ParameterRow& row : surface) {
    Json value = to_json(row.curve);
    value["at"] = row.at;
    rows.push_back(std::move(value));
  }
  return {{"rows", std::move(rows)}};
}

ParameterSurface read_surface(const JsonField& field) {
  ParameterSurface surface;
  field["rows"].for_each_item([&](const JsonField& row) { surface.push_back({row["at"].number(), read_curve(row)}); });
  if (surface.empty()) {
    throw field["rows"].wrong("at least one row");
  }
  return surface;
}

Json to_json(const ParameterGroup& group) {
  Json parameters = Json::object();
  const auto add = [&](const auto& named) {
    for (const auto& [symbol, parameter] : named) {
      parameters[symbol] = to_json(parameter);
    }
  };
  add(group.values);
  add(group.curves);
  add(group.surfaces);
  return {{"scope", to_json(group.scope)}, {"from_bytes", group.from_bytes}, {"parameters", std::move(parameters)}};
}

void read_parameter(ParameterGroup& group, const std::string& symbol, const JsonField& field) {
  if (field.has("points")) {
    group.curves[symbol] = read_curve(field);
  } else if (field.has("rows")) {
    group.surfaces[symbol] = read_surface(field);
  } else {
    group.values[symbol] = read_estimate(field);
  }
}

ParameterGroup read_group(const JsonField& field) {
  ParameterGroup group{.scope = read_scope(field["scope"]), .from_bytes = field["from_bytes"].count<Bytes>()};
  field["parameters"].for_each_member(
      [&](const std::string& symbol, const JsonField& value) { read_parameter(group, symbol, value); });
  return group;
}

Json to_json(const FitQuality& fit) {
  Json value{{"points", fit.points},
             {"median_relative_residual", fit.median_relative_residual},
             {"largest_relative_residual", fit.largest_relative_residual},
             {"smallest_bytes", fit.smallest},
             {"largest_bytes", fit.largest}};
  if (fit.held_out_points > 0) {
    value["held_out"] = {{"points", fit.held_out_points},
                         {"median_relative_residual", fit.held_out_median_relative_residual},
                         {"largest_relative_residual", fit.held_out_largest_relative_residual}};
  }
  return value;
}

FitQuality read_fit(const JsonField& field) {
  FitQuality fit{field["points"].count<std::size_t>(), field["median_relative_residual"].number(),
                 field["largest_relative_residual"].number(), field["smallest_bytes"].count<Bytes>(),
                 field["largest_bytes"].count<Bytes>()};
  if (field.has("held_out")) {
    const JsonField held_out = field["held_out"];
    fit.held_out_points = held_out["points"].count<std::size_t>();
    fit.held_out_median_relative_residual = held_out["median_relative_residual"].number();
    fit.held_out_largest_relative_residual = held_out["largest_relative_residual"].number();
  }
  return fit;
}

Json to_json(const ParameterTable& table) {
  Json groups = Json::array();
  for (const ParameterGroup& group : table.groups) {
    groups.push_back(to_json(group));
  }
  return {{"model", table.model}, {"groups", groups}, {"fit", to_json(table.fit)}};
}

ParameterTable read_table(const JsonField& field) {
  ParameterTable table{.model = field["model"].text(), .groups = {}, .fit = read_fit(field["fit"])};
  field["groups"].for_each_item([&](const JsonField& group) { table.groups.push_back(read_group(group)); });
  return table;
}

Json to_json(const MeasuredPoint& point) {
  return {{"source", point.source},
          {"target", point.target},
          {"channel", point.channel},
          {"bytes", point.bytes},
          {"one_way", to_json(point.one_way)},
          {"repetitions", point.repetitions},
          {"precise", point.precise}};
}

MeasuredPoint read_point(const JsonField& field) {
  return {field["source"].count<int>(),  field["target"].count<int>(),    field["channel"].text(),
          field["bytes"].count<Bytes>(), read_estimate(field["one_way"]), field["repetitions"].count<std::size_t>(),
          field["precise"].truth()};
}

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

Json to_json(const Node& node) {
  Json cores = Json::array();
  for (const Core& core : node.topology.cores) {
    cores.push_back(to_json(core));
  }
  return {{"name", node.name}, {"cores", cores}};
}

Node read_node(const JsonField& field) {
  Node node{.name = field["name"].text(), .topology = {}};
  field["cores"].for_each_item([&](const JsonField& core) { node.topology.cores.push_back(read_core(core)); });
  return node;
}

Json to_json(const RankPlacement& placement) {
  return {{"node", placement.node}, {"core", placement.core}};
}

RankPlacement read_placement(const JsonField& field) {
  return {field["node"].count<int>(), field["core"].count<int>()};
}

Json to_json(const Platform& platform) {
  Json value{{"format", kPlatformFormat},     {"version", kPlatformVersion},
             {"name", platform.name},         {"implementation", platform.implementation},
             {"created", platform.created},   {"is_virtual", platform.is_virtual},
             {"channels", platform.channels}, {"nodes", Json::array()},
             {"ranks", Json::array()},        {"models", Json::array()},
             {"points", Json::array()}};
  for (const Node& node : platform.nodes) {
    value["nodes"].push_back(to_json(node));
  }
  for (const RankPlacement& placement : platform.ranks) {
    value["ranks"].push_back(to_json(placement));
  }
  for (const ParameterTable& table : platform.models) {
    value["models"].push_back(to_json(table));
  }
  for (const MeasuredPoint& point : platform.points) {
    value["points"].push_back(to_json(point));
  }
  add_thresholds(value, platform.shm_protocols);
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
  file["points"].for_each_item([&](const JsonField& point) { platform.points.push_back(read_point(point)); });
  platform.shm_protocols = read_all_thresholds(file);
  check_placements(platform, file);
  return platform;
}

Platform read_platform(const std::filesystem::path& path) {
  return platform_from_json(read_json(path), path);
}

void write_platform(const std::filesystem::path& path, const Platform& platform) {
  const Json value = to_json(platform);
  static_cast<void>(platform_from_json(value, path));
  write_json(path, value);
}

}  // namespace postage
