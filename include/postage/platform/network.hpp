#pragma once

#include <postage/platform/parameters.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// How the groups of a level are joined within the group that holds them, or, on the highest level, with all others.
enum class GroupJunction : std::uint8_t {
  kSwitch,  ///< each by links up to a switch and down from it
  kMesh,    ///< each two by a link in each direction, which starts and ends in one of the groups within (exits)
  kRows,    ///< each two by links between those of the groups within that are at the same place, themselves a mesh
};

/// "switch", "mesh" or "rows".
[[nodiscard]] std::string_view name_of(GroupJunction junction);

/// The groups of hosts at one level of a network, those of hosts first. A link's bandwidth has no upper end where
/// messages were never seen to wait for one another on it: then it is the least that explains this. It is missing where
/// no concurrent messages were measured.
struct GroupLevel {
  GroupJunction junction = GroupJunction::kSwitch;
  /// Links side by side, up and down each; a message takes the one with the number of its target's host modulo `ways`.
  int ways = 1;
  std::optional<Estimate> bandwidth{};  ///< B/s, of each link
  /// Of the ways, how many lead to the same switch above: down from there, a message takes the one with the number of
  /// its source's host modulo `cables`. Divides `ways`.
  int cables = 1;
  /// Of rows: a message within a group of the next level that changed its place goes on as if it were in the first of
  /// the groups, as on dragonflies of SimGrid 3.32.
  bool from_first_row = false;
  bool operator==(const GroupLevel&) const = default;
};

/// Hosts that share their links to others.
struct HostGroup {
  std::string name;
  int level = 0;           ///< index into NetworkStructure::levels
  int parent = -1;         ///< index of the group of the next level that holds it; -1 on the highest
  std::vector<int> hosts;  ///< indices into Platform::nodes, ascending
  // Where they differ from the level's, B/s; of each of its ways:
  std::optional<Estimate> up{};
  std::optional<Estimate> down{};
  /// In a mesh of groups of groups: to another of the level, the group within this one that has the link to it; where
  /// rows join those, one of the groups within them.
  std::map<int, int> exits{};
  bool operator==(const HostGroup&) const = default;
};

/// Hosts that are alike, in what they send and receive at most, and in what a small message keeps their processors.
struct HostClass {
  std::vector<int> hosts;              ///< ascending
  std::optional<Estimate> send{};      ///< B/s, all messages together
  std::optional<Estimate> receive{};   ///< B/s
  std::optional<Estimate> overhead{};  ///< s, to send and to receive it, where hosts differ
  bool operator==(const HostClass&) const = default;
};

/// Hosts in rings along each dimension, the first one varying fastest. Messages go along one dimension after the other,
/// the first one first, the shorter way around, upwards where both are as long.
struct TorusNetwork {
  std::vector<int> lengths;
  std::vector<std::optional<Estimate>> bandwidths;  ///< [dimension], B/s, of a link in one direction
  /// Where both ways are as long, the middle host of a ring sends to its first one downwards, as on SimGrid's tori.
  bool down_from_middle = false;
  bool operator==(const TorusNetwork&) const = default;
};

/// What hosts share on their way to one another, as the measurements show it: a tree of groups, or a torus. A torus has
/// no groups. Both may be missing: then messages share nothing but their hosts' own links.
struct NetworkStructure {
  std::vector<HostClass> classes{};
  std::vector<GroupLevel> levels{};
  std::vector<HostGroup> groups{};
  std::optional<TorusNetwork> torus{};
  /// Links of each host to the network, in each direction; a message takes the one with the number of its two hosts'
  /// sum modulo `rails`. What hosts send and receive is of each.
  int rails = 1;
  /// B/s, of one link that all messages share, whichever way they go, between groups of the highest level, or between
  /// hosts where there are no levels; none in a torus.
  std::optional<Estimate> backbone{};
  /// Each link carries messages of both directions together: half as many in each where both send.
  bool half_duplex = false;
  bool operator==(const NetworkStructure&) const = default;

  [[nodiscard]] bool has_shared_links() const {
    return !levels.empty() || torus.has_value() || rails > 1 || backbone.has_value();
  }
};

}  // namespace postage
