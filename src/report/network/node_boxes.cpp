#include "report/network/node_boxes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace postage {
namespace {

struct InnerLevel {
  const char* kind;
  int Core::*id;
};

constexpr std::array<InnerLevel, 3> kInnerLevels{
    {{"socket", &Core::socket}, {"NUMA node", &Core::numa}, {"shared cache", &Core::cache}}};

std::vector<NetworkBox> boxes_of(const std::vector<Core>& cores, std::span<const InnerLevel> levels) {
  if (levels.empty()) {
    return {{.kind = "core", .count = cores.size()}};
  }
  std::map<int, std::vector<Core>> parts;
  for (const Core& core : cores) {
    parts[core.*levels.front().id].push_back(core);
  }
  if (parts.size() == 1 || parts.size() == cores.size()) {
    return boxes_of(cores, levels.subspan(1));
  }
  std::vector<NetworkBox> boxes;
  for (const auto& [id, members] : parts) {
    boxes.push_back({.kind = levels.front().kind, .parts = boxes_of(members, levels.subspan(1))});
  }
  return folded(std::move(boxes));
}

/// But for their names.
bool are_drawn_alike(const NetworkBox& a, const NetworkBox& b) {
  return a.kind == b.kind && a.facts == b.facts &&
         std::ranges::equal(a.parts, b.parts,
                            [](const auto& x, const auto& y) { return x.count == y.count && are_drawn_alike(x, y); });
}

void take_names(NetworkBox& to, const NetworkBox& from) {
  to.names.insert(to.names.end(), from.names.begin(), from.names.end());
  to.hosts.insert(to.hosts.end(), from.hosts.begin(), from.hosts.end());
  for (std::size_t i = 0; i < to.parts.size(); ++i) {
    take_names(to.parts[i], from.parts[i]);
  }
}

}  // namespace

std::vector<NetworkBox> node_boxes(const NodeTopology& topology) {
  return boxes_of(topology.cores, kInnerLevels);
}

std::vector<NetworkBox> folded(std::vector<NetworkBox> boxes) {
  std::vector<NetworkBox> kinds;
  for (NetworkBox& box : boxes) {
    const auto same = std::ranges::find_if(kinds, [&](const NetworkBox& kind) { return are_drawn_alike(kind, box); });
    if (same == kinds.end()) {
      kinds.push_back(std::move(box));
    } else {
      same->count += box.count;
      take_names(*same, box);
    }
  }
  return kinds;
}

}  // namespace postage
