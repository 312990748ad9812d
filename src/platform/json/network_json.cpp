#include "platform/json/network_json.hpp"

#include "platform/json/estimates_json.hpp"

#include <postage/platform/number_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

namespace postage {
namespace {

void add_rate(Json& value, const char* name, const std::optional<Estimate>& rate) {
  if (rate) {
    value[name] = to_json(*rate);
  }
}

std::optional<Estimate> read_rate(const JsonField& field, const char* name) {
  if (!field.has(name)) {
    return std::nullopt;
  }
  const Estimate rate = read_estimate(field[name]);
  if (!(rate.value > 0)) {
    throw field[name].wrong("more than 0 bytes per second");
  }
  return rate;
}

std::vector<int> read_hosts(const JsonField& field, std::size_t nodes) {
  const auto hosts = parse_number_list(field.text());
  if (!hosts || hosts->empty() || static_cast<std::size_t>(hosts->back()) >= nodes) {
    throw field.wrong(fmt::format("numbers of nodes that ascend, below {}, like 0-3 8", nodes));
  }
  return *hosts;
}

Json to_json(const HostClass& alike) {
  Json value{{"hosts", format_number_list(alike.hosts)}};
  add_rate(value, "send", alike.send);
  add_rate(value, "receive", alike.receive);
  if (alike.overhead) {
    value["overhead"] = to_json(*alike.overhead);
  }
  return value;
}

HostClass read_host_class(const JsonField& field, std::size_t nodes) {
  return {read_hosts(field["hosts"], nodes), read_rate(field, "send"), read_rate(field, "receive"),
          field.has("overhead") ? std::optional(read_estimate(field["overhead"])) : std::nullopt};
}

Json to_json(const GroupLevel& level) {
  Json value{{"junction", std::string(name_of(level.junction))}, {"ways", level.ways}};
  add_rate(value, "bandwidth", level.bandwidth);
  if (level.cables > 1) {
    value["cables"] = level.cables;
  }
  if (level.from_first_row) {
    value["from_first_row"] = true;
  }
  return value;
}

GroupJunction read_junction(const JsonField& field) {
  for (const GroupJunction junction : {GroupJunction::kSwitch, GroupJunction::kMesh, GroupJunction::kRows}) {
    if (field.text() == name_of(junction)) {
      return junction;
    }
  }
  throw field.wrong("'switch', 'mesh' or 'rows'");
}

GroupLevel read_level(const JsonField& field) {
  constexpr int kMostWays = 1 << 20;
  GroupLevel level{.junction = read_junction(field["junction"]),
                   .ways = static_cast<int>(field["ways"].integer(1, kMostWays)),
                   .bandwidth = read_rate(field, "bandwidth")};
  if (field.has("cables")) {
    level.cables = static_cast<int>(field["cables"].integer(1, level.ways));
    if (level.ways % level.cables != 0) {
      throw field["cables"].wrong(fmt::format("a number that divides the {} ways", level.ways));
    }
  }
  level.from_first_row = field.has("from_first_row") && field["from_first_row"].truth();
  return level;
}

/// "3:1 4:2": to group 3 by group 1.
Json exits_to_json(const std::map<int, int>& exits) {
  std::string text;
  for (const auto& [to, by] : exits) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", to, by);
  }
  return text;
}

std::map<int, int> read_exits(const JsonField& field) {
  std::map<int, int> exits;
  std::istringstream words(field.text());
  for (std::string word; words >> word;) {
    std::istringstream both(word);
    int to = -1;
    int by = -1;
    char colon = 0;
    if (!(both >> to >> colon >> by) || colon != ':' || to < 0 || by < 0 || !both.eof()) {
      throw field.wrong("numbers of groups, like 3:1 4:2 for 'to group 3 by group 1, ...'");
    }
    exits[to] = by;
  }
  return exits;
}

Json to_json(const HostGroup& group) {
  Json value{{"name", group.name}, {"level", group.level}, {"hosts", format_number_list(group.hosts)}};
  if (group.parent >= 0) {
    value["parent"] = group.parent;
  }
  add_rate(value, "up", group.up);
  add_rate(value, "down", group.down);
  if (!group.exits.empty()) {
    value["exits"] = exits_to_json(group.exits);
  }
  return value;
}

HostGroup read_host_group(const JsonField& field, std::size_t nodes) {
  HostGroup group{.name = field["name"].text(),
                  .level = field["level"].count<int>(),
                  .parent = field.has("parent") ? field["parent"].count<int>() : -1,
                  .hosts = read_hosts(field["hosts"], nodes),
                  .up = read_rate(field, "up"),
                  .down = read_rate(field, "down")};
  if (field.has("exits")) {
    group.exits = read_exits(field["exits"]);
  }
  return group;
}

bool has_group(const NetworkStructure& network, int group) {
  return group >= 0 && static_cast<std::size_t>(group) < network.groups.size();
}

/// Whether a group lies within another, on the level whose groups have links to others.
bool is_exit(const NetworkStructure& network, int exit, int group) {
  const auto level_of = [&](int one) { return network.groups[static_cast<std::size_t>(one)].level; };
  const auto parent_of = [&](int one) { return network.groups[static_cast<std::size_t>(one)].parent; };
  if (!has_group(network, exit)) {
    return false;
  }
  const int level = level_of(group);
  const bool has_rows =
      level > 1 && network.levels[static_cast<std::size_t>(level) - 1].junction == GroupJunction::kRows;
  const int within = has_rows ? parent_of(exit) : exit;
  return level_of(exit) == level - (has_rows ? 2 : 1) && has_group(network, within) && parent_of(within) == group;
}

/// A parent of the next level, levels that exist, rows of meshes, exits that lie within: whoever follows them trusts
/// them.
void check_group(const NetworkStructure& network, std::size_t index, const JsonField& field) {
  const HostGroup& group = network.groups[index];
  const auto is_at = [&](int other, int level) {
    return has_group(network, other) && network.groups[static_cast<std::size_t>(other)].level == level;
  };
  if (static_cast<std::size_t>(group.level) >= network.levels.size()) {
    throw field.wrong(fmt::format("groups of levels that exist; group {} is at level {} of {}", index, group.level,
                                  network.levels.size()));
  }
  if (group.parent >= 0 && !is_at(group.parent, group.level + 1)) {
    throw field.wrong(fmt::format("groups whose parents are at the next level; that of group {} is not", index));
  }
  for (const auto& [to, by] : group.exits) {
    if (!is_at(to, group.level) || !is_exit(network, by, static_cast<int>(index))) {
      throw field.wrong(fmt::format("groups with exits by groups within them; those of group {} are not", index));
    }
  }
}

/// Rows of groups that are a mesh, each of whose hosts is in one of these.
void check_rows(const NetworkStructure& network, std::size_t index, const JsonField& field) {
  const HostGroup& row = network.groups[index];
  const auto level = static_cast<std::size_t>(row.level);
  if (network.levels[level].junction != GroupJunction::kRows) {
    return;
  }
  std::vector<int> hosts;
  for (const HostGroup& group : network.groups) {
    if (group.parent == static_cast<int>(index)) {
      hosts.insert(hosts.end(), group.hosts.begin(), group.hosts.end());
    }
  }
  std::sort(hosts.begin(), hosts.end());
  if (level == 0 || network.levels[level - 1].junction != GroupJunction::kMesh || hosts != row.hosts) {
    throw field.wrong(fmt::format(
        "rows of groups of a mesh, in one of which each of their hosts is; group {} is a row without them", index));
  }
}

/// Of each level, a host is in one group at most.
void check_hosts(const NetworkStructure& network, const JsonField& field) {
  std::set<std::pair<int, int>> known;
  for (const HostGroup& group : network.groups) {
    for (const int host : group.hosts) {
      if (!known.emplace(group.level, host).second) {
        throw field.wrong(
            fmt::format("each host in one group of a level; host {} is in two of level {}", host, group.level));
      }
    }
  }
}

Json to_json(const TorusNetwork& torus) {
  Json value{{"lengths", torus.lengths}, {"bandwidths", Json::array()}};
  for (const std::optional<Estimate>& bandwidth : torus.bandwidths) {
    value["bandwidths"].push_back(bandwidth ? to_json(*bandwidth) : Json::object());
  }
  if (torus.down_from_middle) {
    value["down_from_middle"] = true;
  }
  return value;
}

TorusNetwork read_torus(const JsonField& field, std::size_t nodes) {
  TorusNetwork torus{.down_from_middle = field.has("down_from_middle") && field["down_from_middle"].truth()};
  std::size_t product = 1;
  field["lengths"].for_each_item([&](const JsonField& length) {
    torus.lengths.push_back(static_cast<int>(length.integer(1, std::numeric_limits<int>::max())));
    product = product > nodes ? product : product * static_cast<std::size_t>(torus.lengths.back());
  });
  field["bandwidths"].for_each_item([&](const JsonField& rate) {
    torus.bandwidths.push_back(rate.is_object() && rate.json().empty() ? std::nullopt
                                                                       : std::optional(read_estimate(rate)));
    if (torus.bandwidths.back() && !(torus.bandwidths.back()->value > 0)) {
      throw rate.wrong("more than 0 bytes per second");
    }
  });
  if (product != nodes || torus.lengths.size() != torus.bandwidths.size()) {
    throw field.wrong(fmt::format("lengths whose product is the number of nodes, {}, and a bandwidth for each", nodes));
  }
  return torus;
}

}  // namespace

Json to_json(const NetworkStructure& network) {
  Json value{
      {"classes", Json::array()}, {"levels", Json::array()}, {"groups", Json::array()}, {"rails", network.rails}};
  for (const HostClass& alike : network.classes) {
    value["classes"].push_back(to_json(alike));
  }
  for (const GroupLevel& level : network.levels) {
    value["levels"].push_back(to_json(level));
  }
  for (const HostGroup& group : network.groups) {
    value["groups"].push_back(to_json(group));
  }
  if (network.torus) {
    value["torus"] = to_json(*network.torus);
  }
  add_rate(value, "backbone", network.backbone);
  if (network.half_duplex) {
    value["half_duplex"] = true;
  }
  return value;
}

NetworkStructure read_network(const JsonField& field, std::size_t nodes) {
  constexpr int kMostRails = 1 << 20;
  NetworkStructure network{.rails = static_cast<int>(field["rails"].integer(1, kMostRails))};
  field["classes"].for_each_item(
      [&](const JsonField& alike) { network.classes.push_back(read_host_class(alike, nodes)); });
  field["levels"].for_each_item([&](const JsonField& level) { network.levels.push_back(read_level(level)); });
  field["groups"].for_each_item(
      [&](const JsonField& group) { network.groups.push_back(read_host_group(group, nodes)); });
  for (std::size_t i = 0; i < network.groups.size(); ++i) {
    check_group(network, i, field["groups"]);
    check_rows(network, i, field["groups"]);
  }
  check_hosts(network, field["groups"]);
  if (field.has("torus")) {
    network.torus = read_torus(field["torus"], nodes);
  }
  network.backbone = read_rate(field, "backbone");
  network.half_duplex = field.has("half_duplex") && field["half_duplex"].truth();
  return network;
}

}  // namespace postage
