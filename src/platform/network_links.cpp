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

/// Whether these are two groups; -1 is none.
bool is_apart(int from, int to) {
  return from != to && from >= 0 && to >= 0;
}

void add(std::uint64_t id, const std::optional<Estimate>& bandwidth, std::vector<LinkOnRoute>& route) {
  if (bandwidth) {
    route.push_back({id, bandwidth->value});
  }
}

}  // namespace

std::string_view name_of(GroupJunction junction) {
  switch (junction) {
    case GroupJunction::kMesh:
      return "mesh";
    case GroupJunction::kRows:
      return "rows";
    case GroupJunction::kSwitch:
      break;
  }
  return "switch";
}

NetworkLinks::NetworkLinks(NetworkStructure structure, std::size_t hosts)
    : structure_(std::move(structure)),
      hosts_(hosts),
      group_of_(structure_.levels.size(), std::vector<int>(hosts, -1)),
      within_(structure_.groups.size()),
      place_(structure_.groups.size(), 0) {
  for (std::size_t i = 0; i < structure_.groups.size(); ++i) {
    const HostGroup& group = structure_.groups[i];
    for (const int host : group.hosts) {
      group_of_.at(static_cast<std::size_t>(group.level)).at(static_cast<std::size_t>(host)) = static_cast<int>(i);
    }
    if (group.parent >= 0) {
      std::vector<int>& beside = within_.at(static_cast<std::size_t>(group.parent));
      place_[i] = static_cast<int>(beside.size());
      beside.push_back(static_cast<int>(i));
    }
  }
}

std::uint64_t NetworkLinks::id_of(Kind kind, int first, int second) {
  return static_cast<std::uint64_t>(kind) << kKindShift | static_cast<std::uint64_t>(first) << kFirstShift |
         static_cast<std::uint64_t>(second);
}

/// Of groups of a mesh, or of two rows.
std::uint64_t NetworkLinks::mesh_link(int from, int to) const {
  return structure_.half_duplex ? id_of(Kind::kMesh, std::min(from, to), std::max(from, to))
                                : id_of(Kind::kMesh, from, to);
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
    // Rows are joined by links between their own groups.
    if (is_apart(from, to) && level_of(from).junction != GroupJunction::kRows) {
      leave(source, from, exit_of(from, to), target, route);
      if (crosses_backbone(source, target)) {
        add(id_of(Kind::kBackbone, 0, 0), structure_.backbone, route);
      }
      join(from, to, source, target, route);
      return enter(target, to, exit_of(to, from), source, route);
    }
  }
  if (group_of_.empty()) {
    add(id_of(Kind::kBackbone, 0, 0), structure_.backbone, route);
  }
}

/// Between groups of the highest level.
bool NetworkLinks::crosses_backbone(int source, int target) const {
  const int highest = static_cast<int>(group_of_.size()) - 1;
  return is_apart(group_of(source, highest), group_of(target, highest));
}

const GroupLevel& NetworkLinks::level_of(int group) const {
  return structure_.levels[static_cast<std::size_t>(structure_.groups[static_cast<std::size_t>(group)].level)];
}

/// The group of the level below the group's own that the host is in, -1 for none.
int NetworkLinks::inner_of(int host, int group) const {
  return group_of(host, structure_.groups[static_cast<std::size_t>(group)].level - 1);
}

/// Whether a group of a mesh is in a row that is joined with others.
bool NetworkLinks::is_in_row(int group) const {
  const int row = structure_.groups[static_cast<std::size_t>(group)].parent;
  return row >= 0 && level_of(row).junction == GroupJunction::kRows;
}

/// From one group to another of the same level, within the same one of the next, or in two rows.
void NetworkLinks::join(int from, int to, int source, int target, std::vector<LinkOnRoute>& route) const {
  if (level_of(from).junction == GroupJunction::kSwitch) {
    add_up(from, target, route);
    add_down(to, source, target, route);
  } else if (is_in_row(from) && is_in_row(to)) {
    const int row = structure_.groups[static_cast<std::size_t>(from)].parent;
    cross_rows(from, to, level_of(row).from_first_row, route);
  } else {
    add_mesh(from, to, route);
  }
}

/// Between groups of a mesh whose own groups rows join: to the other's place first, then along its row.
void NetworkLinks::cross_rows(int from, int to, bool from_first_row, std::vector<LinkOnRoute>& route) const {
  const auto row_of = [&](int group) { return structure_.groups[static_cast<std::size_t>(group)].parent; };
  const auto place_of = [&](int group) { return static_cast<std::size_t>(place_[static_cast<std::size_t>(group)]); };
  const auto at_place = [&](int row, std::size_t place) {
    const std::vector<int>& beside = within_[static_cast<std::size_t>(row)];
    return beside[std::min(place, beside.size() - 1)];
  };
  int at = from;
  if (place_of(from) != place_of(to)) {
    const int turn = at_place(row_of(from), place_of(to));
    add_mesh(from, turn, route);
    const int all = structure_.groups[static_cast<std::size_t>(row_of(from))].parent;
    const bool is_from_first = from_first_row && all >= 0;
    at = is_from_first ? at_place(within_[static_cast<std::size_t>(all)].front(), place_of(to)) : turn;
  }
  if (row_of(at) != row_of(to)) {
    add(mesh_link(at, to), level_of(row_of(to)).bandwidth, route);
  }
}

/// From a host to where its group is joined with others: in the group `by` within it where that is known.
void NetworkLinks::leave(int host, int group, int by, int target, std::vector<LinkOnRoute>& route) const {
  const int inner = inner_of(host, group);
  if (inner < 0) {
    return;
  }
  switch (level_of(inner).junction) {
    case GroupJunction::kMesh: {
      const int on = by >= 0 && by != inner ? by : -1;
      leave(host, inner, on >= 0 ? exit_of(inner, on) : -1, target, route);
      if (on >= 0) {
        add_mesh(inner, on, route);
      }
      return;
    }
    case GroupJunction::kRows: {
      const int first = inner_of(host, inner);
      leave(host, first, -1, target, route);
      if (by >= 0) {
        cross_rows(first, by, false, route);
      }
      return;
    }
    case GroupJunction::kSwitch:
      break;
  }
  leave(host, inner, -1, target, route);
  add_up(inner, target, route);
}

/// The same the other way around.
void NetworkLinks::enter(int host, int group, int by, int source, std::vector<LinkOnRoute>& route) const {
  const int inner = inner_of(host, group);
  if (inner < 0) {
    return;
  }
  switch (level_of(inner).junction) {
    case GroupJunction::kMesh: {
      const int from = by >= 0 && by != inner ? by : -1;
      if (from >= 0) {
        add_mesh(from, inner, route);
      }
      return enter(host, inner, from >= 0 ? exit_of(inner, from) : -1, source, route);
    }
    case GroupJunction::kRows: {
      const int last = inner_of(host, inner);
      if (by >= 0) {
        cross_rows(by, last, false, route);
      }
      return enter(host, last, -1, source, route);
    }
    case GroupJunction::kSwitch:
      break;
  }
  add_down(inner, source, host, route);
  enter(host, inner, -1, source, route);
}

void NetworkLinks::add_up(int group, int target, std::vector<LinkOnRoute>& route) const {
  const HostGroup& own = structure_.groups[static_cast<std::size_t>(group)];
  const GroupLevel& level = structure_.levels[static_cast<std::size_t>(own.level)];
  add(id_of(Kind::kUp, group, target % level.ways), own.up ? own.up : level.bandwidth, route);
}

void NetworkLinks::add_down(int group, int source, int target, std::vector<LinkOnRoute>& route) const {
  const HostGroup& own = structure_.groups[static_cast<std::size_t>(group)];
  const GroupLevel& level = structure_.levels[static_cast<std::size_t>(own.level)];
  const int switches = level.ways / level.cables;
  const int way = target % switches + switches * (source % level.cables);
  add(id_of(structure_.half_duplex ? Kind::kUp : Kind::kDown, group, way), own.down ? own.down : level.bandwidth,
      route);
}

void NetworkLinks::add_mesh(int from, int to, std::vector<LinkOnRoute>& route) const {
  const int level = structure_.groups[static_cast<std::size_t>(from)].level;
  add(mesh_link(from, to), structure_.levels[static_cast<std::size_t>(level)].bandwidth, route);
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
      // Two hosts that are a ring have two links, one for each direction.
      const bool is_turned = structure_.half_duplex && length > 2 && next < at;
      const int first = is_turned ? next : at;
      add(id_of(Kind::kTorus, static_cast<int>(i) * hosts + first, is_turned ? at : next), torus.bandwidths[i], route);
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
      return structure_.half_duplex ? fmt::format("link of {} and {}", name(first), name(second))
                                    : fmt::format("link from {} to {}", name(first), name(second));
    case Kind::kBackbone:
      return "backbone";
    case Kind::kUp:
    case Kind::kDown:
      break;
  }
  const int ways = structure_.levels[static_cast<std::size_t>(structure_.groups[first].level)].ways;
  const std::string_view direction = structure_.half_duplex ? "" : kind == Kind::kUp ? "up " : "down ";
  return fmt::format("{}link{} of {}", direction, ways > 1 ? fmt::format(" {}", second) : "", name(first));
}

}  // namespace postage
