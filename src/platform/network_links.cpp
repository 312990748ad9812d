#include <postage/platform/network_links.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postage {
namespace {

constexpr unsigned kKindShift = 60;
constexpr unsigned kFirstShift = 30;
constexpr std::uint64_t kNumber = (std::uint64_t{1} << kFirstShift) - 1;

/// Whether the way along a ring goes upwards: the shorter one, see TorusNetwork where both are as long.
bool goes_up(const TorusNetwork& torus, int from, int to, int length) {
  const int ahead = (to - from + length) % length;
  const bool is_down = torus.down_from_middle && 2 * from == length && to == 0;
  return ahead <= length - ahead && !is_down;
}

void add(std::uint64_t id, const std::optional<Estimate>& bandwidth, std::vector<LinkOnRoute>& route) {
  if (bandwidth) {
    route.push_back({id, bandwidth->value});
  }
}

}  // namespace

std::string_view name_of(GroupJunction junction) {
  return junction == GroupJunction::kMesh ? "mesh" : "switch";
}

NetworkLinks::NetworkLinks(NetworkStructure structure, std::size_t hosts)
    : structure_(std::move(structure)),
      hosts_(hosts),
      group_of_(structure_.levels.size(), std::vector<int>(hosts, -1)) {
  for (std::size_t i = 0; i < structure_.groups.size(); ++i) {
    const HostGroup& group = structure_.groups[i];
    for (const int host : group.hosts) {
      group_of_.at(static_cast<std::size_t>(group.level)).at(static_cast<std::size_t>(host)) = static_cast<int>(i);
    }
  }
}

std::uint64_t NetworkLinks::id_of(Kind kind, int first, int second) {
  return static_cast<std::uint64_t>(kind) << kKindShift | static_cast<std::uint64_t>(first) << kFirstShift |
         static_cast<std::uint64_t>(second);
}

int NetworkLinks::group_of(int host, int level) const {
  return level < 0 ? -1 : group_of_[static_cast<std::size_t>(level)][static_cast<std::size_t>(host)];
}

int NetworkLinks::exit_of(int group, int to) const {
  const auto& exits = structure_.groups[static_cast<std::size_t>(group)].exits;
  const auto found = exits.find(to);
  return found == exits.end() ? -1 : found->second;
}

void NetworkLinks::find_route(int source, int target, std::vector<LinkOnRoute>& route) const {
  route.clear();
  const auto is_known = [&](int host) { return host >= 0 && static_cast<std::size_t>(host) < hosts_; };
  if (source == target || !is_known(source) || !is_known(target)) {
    return;
  }
  if (structure_.torus) {
    return go_along_rings(source, target, route);
  }
  for (int level = static_cast<int>(group_of_.size()) - 1; level >= 0; --level) {
    const int from = group_of(source, level);
    const int to = group_of(target, level);
    if (from != to && from >= 0 && to >= 0) {
      leave(source, from, exit_of(from, to), target, route);
      if (level + 1 == static_cast<int>(group_of_.size())) {
        add(id_of(Kind::kBackbone, 0, 0), structure_.backbone, route);
      }
      join(from, to, target, route);
      return enter(target, to, exit_of(to, from), route);
    }
  }
  if (group_of_.empty()) {
    add(id_of(Kind::kBackbone, 0, 0), structure_.backbone, route);
  }
}

/// From one group to another of the same level, within the same one of the next.
void NetworkLinks::join(int from, int to, int target, std::vector<LinkOnRoute>& route) const {
  const int level = structure_.groups[static_cast<std::size_t>(from)].level;
  if (structure_.levels[static_cast<std::size_t>(level)].junction == GroupJunction::kMesh) {
    return add_mesh(from, to, route);
  }
  add_up(from, target, route);
  add_down(to, target, route);
}

/// From a host to where its group is joined with others: in the group `by` within it where that is known.
void NetworkLinks::leave(int host, int group, int by, int target, std::vector<LinkOnRoute>& route) const {
  const int level = structure_.groups[static_cast<std::size_t>(group)].level - 1;
  const int inner = group_of(host, level);
  if (inner < 0) {
    return;
  }
  const bool is_mesh = structure_.levels[static_cast<std::size_t>(level)].junction == GroupJunction::kMesh;
  const int on = is_mesh && by >= 0 && by != inner ? by : -1;
  leave(host, inner, on >= 0 ? exit_of(inner, on) : -1, target, route);
  if (on >= 0) {
    add_mesh(inner, on, route);
  } else if (!is_mesh) {
    add_up(inner, target, route);
  }
}

/// The same the other way around.
void NetworkLinks::enter(int host, int group, int by, std::vector<LinkOnRoute>& route) const {
  const int level = structure_.groups[static_cast<std::size_t>(group)].level - 1;
  const int inner = group_of(host, level);
  if (inner < 0) {
    return;
  }
  const bool is_mesh = structure_.levels[static_cast<std::size_t>(level)].junction == GroupJunction::kMesh;
  const int from = is_mesh && by >= 0 && by != inner ? by : -1;
  if (from >= 0) {
    add_mesh(from, inner, route);
  } else if (!is_mesh) {
    add_down(inner, host, route);
  }
  enter(host, inner, from >= 0 ? exit_of(inner, from) : -1, route);
}

void NetworkLinks::add_up(int group, int target, std::vector<LinkOnRoute>& route) const {
  const HostGroup& own = structure_.groups[static_cast<std::size_t>(group)];
  const GroupLevel& level = structure_.levels[static_cast<std::size_t>(own.level)];
  add(id_of(Kind::kUp, group, target % level.ways), own.up ? own.up : level.bandwidth, route);
}

void NetworkLinks::add_down(int group, int target, std::vector<LinkOnRoute>& route) const {
  const HostGroup& own = structure_.groups[static_cast<std::size_t>(group)];
  const GroupLevel& level = structure_.levels[static_cast<std::size_t>(own.level)];
  add(id_of(Kind::kDown, group, target % level.ways), own.down ? own.down : level.bandwidth, route);
}

void NetworkLinks::add_mesh(int from, int to, std::vector<LinkOnRoute>& route) const {
  const int level = structure_.groups[static_cast<std::size_t>(from)].level;
  add(id_of(Kind::kMesh, from, to), structure_.levels[static_cast<std::size_t>(level)].bandwidth, route);
}

void NetworkLinks::go_along_rings(int source, int target, std::vector<LinkOnRoute>& route) const {
  const TorusNetwork& torus = *structure_.torus;
  const auto hosts = static_cast<int>(hosts_);
  int at = source;
  int stride = 1;
  for (std::size_t i = 0; i < torus.lengths.size(); ++i) {
    const int length = torus.lengths[i];
    const int to = target / stride % length;
    const bool is_up = goes_up(torus, at / stride % length, to, length);
    while (at / stride % length != to) {
      const int here = at / stride % length;
      const int next = at + ((here + (is_up ? 1 : length - 1)) % length - here) * stride;
      add(id_of(Kind::kTorus, static_cast<int>(i) * hosts + at, next), torus.bandwidths[i], route);
      at = next;
    }
    stride *= length;
  }
}

std::string NetworkLinks::name_of(std::uint64_t id) const {
  const auto kind = static_cast<Kind>(id >> kKindShift);
  const auto first = static_cast<std::size_t>(id >> kFirstShift & kNumber);
  const auto second = static_cast<std::size_t>(id & kNumber);
  const auto name = [&](std::size_t group) { return structure_.groups[group].name; };
  switch (kind) {
    case Kind::kTorus:
      return fmt::format("link of hosts {} and {} along dimension {}", first % hosts_, second, first / hosts_);
    case Kind::kMesh:
      return fmt::format("link from {} to {}", name(first), name(second));
    case Kind::kBackbone:
      return "backbone";
    case Kind::kUp:
    case Kind::kDown:
      break;
  }
  const int ways = structure_.levels[static_cast<std::size_t>(structure_.groups[first].level)].ways;
  return fmt::format("{} link{} of {}", kind == Kind::kUp ? "up" : "down", ways > 1 ? fmt::format(" {}", second) : "",
                     name(first));
}

}  // namespace postage
