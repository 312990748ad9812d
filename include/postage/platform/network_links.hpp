#pragma once

#include <postage/platform/network.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace postage {

/// A link in one direction that a message passes, where its bandwidth is known.
struct LinkOnRoute {
  std::uint64_t id = 0;  ///< the same for all messages that share it
  double bandwidth = 0;  ///< B/s
  bool operator==(const LinkOnRoute&) const = default;
};

/// The links that messages between hosts share, found anew for each two hosts: O(hosts * levels) memory.
class NetworkLinks {
 public:
  /// Of a network of so many hosts.
  NetworkLinks(NetworkStructure structure, std::size_t hosts);

  /// The links from a host to another, in their order, of those that both lie on the network. Hosts' own links are not
  /// among them. O(levels), or O(steps) in a torus; clears `route` first.
  void find_route(int source, int target, std::vector<LinkOnRoute>& route) const;

  /// The hosts' rail that a message between them takes.
  [[nodiscard]] int rail_between(int source, int target) const { return (source + target) % structure_.rails; }

  /// "up link 1 of leaf 2", "link of hosts 4 and 5 along dimension 0", "backbone".
  [[nodiscard]] std::string name_of(std::uint64_t id) const;

  [[nodiscard]] const NetworkStructure& structure() const { return structure_; }

 private:
  enum class Kind : std::uint64_t { kUp, kDown, kMesh, kTorus, kBackbone };

  [[nodiscard]] static std::uint64_t id_of(Kind kind, int first, int second);
  [[nodiscard]] std::uint64_t mesh_link(int from, int to) const;
  [[nodiscard]] int group_of(int host, int level) const;
  [[nodiscard]] int exit_of(int group, int to) const;
  [[nodiscard]] const GroupLevel& level_of(int group) const;
  [[nodiscard]] int inner_of(int host, int group) const;
  [[nodiscard]] bool is_in_row(int group) const;
  [[nodiscard]] bool crosses_backbone(int source, int target) const;
  void join(int from, int to, int source, int target, std::vector<LinkOnRoute>& route) const;
  void leave(int host, int group, int by, int target, std::vector<LinkOnRoute>& route) const;
  void enter(int host, int group, int by, int source, std::vector<LinkOnRoute>& route) const;
  void cross_rows(int from, int to, bool from_first_row, std::vector<LinkOnRoute>& route) const;
  void add_up(int group, int target, std::vector<LinkOnRoute>& route) const;
  void add_down(int group, int source, int target, std::vector<LinkOnRoute>& route) const;
  void add_mesh(int from, int to, std::vector<LinkOnRoute>& route) const;
  void go_along_rings(int source, int target, std::vector<LinkOnRoute>& route) const;

  NetworkStructure structure_;
  std::size_t hosts_;
  std::vector<std::vector<int>> group_of_;  ///< [level][host], -1 for none
  std::vector<std::vector<int>> within_;    ///< [group], those of the level below, in their order
  std::vector<int> place_;                  ///< [group], among those within the same one
};

}  // namespace postage
