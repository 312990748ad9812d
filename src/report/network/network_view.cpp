#include "report/network/level_times.hpp"
#include "report/network/node_boxes.hpp"

#include <postage/base/library_name.hpp>
#include <postage/platform/host_list.hpp>
#include <postage/report/network_view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace postage {
namespace {

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string links_of(int ways, double bandwidth) {
  return ways == 1 ? fmt::format("a link of {}", format_rate(bandwidth))
                   : fmt::format("{} links of {}", ways, format_rate(bandwidth));
}

/// Builds the boxes of a platform's groups and hosts.
class ViewBuilder {
 public:
  explicit ViewBuilder(const Platform& platform) : platform_(platform), class_of_(platform.nodes.size(), -1) {
    if (platform.network) {
      network_ = *platform.network;
    }
    for (std::size_t i = 0; i < network_.classes.size(); ++i) {
      for (const int host : network_.classes[i].hosts) {
        class_of_[static_cast<std::size_t>(host)] = static_cast<int>(i);
      }
    }
  }

  [[nodiscard]] std::vector<NetworkBox> build() const {
    if (network_.groups.empty()) {
      std::vector<int> all(platform_.nodes.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<int>(i);
      }
      return host_boxes(all);
    }
    std::vector<NetworkBox> boxes;
    for (std::size_t i = 0; i < network_.groups.size(); ++i) {
      if (network_.groups[i].parent < 0) {
        boxes.push_back(group_box(static_cast<int>(i)));
      }
    }
    return folded(std::move(boxes));
  }

 private:
  [[nodiscard]] NetworkBox group_box(int index) const {
    const HostGroup& group = network_.groups[static_cast<std::size_t>(index)];
    NetworkBox box{.kind = "group", .names = {name_of_group(group, index)}, .hosts = {list_of(group.hosts)}};
    add_links(box, group);
    for (std::size_t i = 0; i < network_.groups.size(); ++i) {
      if (network_.groups[i].parent == index) {
        box.parts.push_back(group_box(static_cast<int>(i)));
      }
    }
    box.parts = box.parts.empty() ? host_boxes(group.hosts) : folded(std::move(box.parts));
    if (box.parts.size() == 1) {
      box.parts.front().names.clear();
      box.parts.front().hosts.clear();
    }
    return box;
  }

  /// A group without a name of its own is known by its hosts.
  [[nodiscard]] std::string name_of_group(const HostGroup& group, int index) const {
    return group.name.empty() ? fmt::format("group{}", index) : group.name;
  }

  [[nodiscard]] std::string list_of(const std::vector<int>& hosts) const {
    std::vector<std::string> names;
    names.reserve(hosts.size());
    for (const int host : hosts) {
      names.push_back(platform_.nodes[static_cast<std::size_t>(host)].name);
    }
    return format_host_list(names);
  }

  void add_links(NetworkBox& box, const HostGroup& group) const {
    const GroupLevel& level = network_.levels[static_cast<std::size_t>(group.level)];
    if (level.junction != GroupJunction::kSwitch) {
      if (level.bandwidth) {
        const bool has_rows = level.junction == GroupJunction::kRows;
        const auto beside = std::count_if(network_.groups.begin(), network_.groups.end(), [&](const HostGroup& other) {
          return other.level == group.level && other.parent == group.parent;
        });
        box.facts.push_back(fmt::format("{} {}to {} other group", links_of(level.ways, level.bandwidth->value),
                                        has_rows ? "from each group within " : "", beside == 2 ? "the" : "each"));
        box.bandwidth = level.bandwidth->value * level.ways;
      }
      return;
    }
    if (level.cables > 1) {
      box.facts.push_back(fmt::format("{} cables to each switch above", level.cables));
    }
    const std::optional<Estimate>& up = group.up ? group.up : level.bandwidth;
    const std::optional<Estimate>& down = group.down ? group.down : level.bandwidth;
    box.bandwidth = up ? up->value * level.ways : 0;
    if (up && down && format_rate(up->value) == format_rate(down->value)) {
      box.facts.push_back(links_of(level.ways, up->value) + " up and down");
    } else {
      for (const auto& [link, direction] : {std::pair(&up, "up"), {&down, "down"}}) {
        if (*link) {
          box.facts.push_back(fmt::format("{} {}", links_of(level.ways, (*link)->value), direction));
        }
      }
    }
  }

  [[nodiscard]] std::vector<NetworkBox> host_boxes(const std::vector<int>& hosts) const {
    std::vector<NetworkBox> boxes;
    for (const int host : hosts) {
      const Node& node = platform_.nodes[static_cast<std::size_t>(host)];
      NetworkBox box{.kind = "host", .names = {node.name}, .parts = node_boxes(node.topology)};
      if (const int own = class_of_[static_cast<std::size_t>(host)]; own >= 0) {
        add_limits(box, network_.classes[static_cast<std::size_t>(own)], network_.classes.size() > 1);
      }
      boxes.push_back(std::move(box));
    }
    return folded(std::move(boxes));
  }

  static void add_limits(NetworkBox& box, const HostClass& own, bool has_classes) {
    if (own.send) {
      box.facts.push_back(fmt::format("sends {}", format_rate(own.send->value)));
      box.bandwidth = own.send->value;
    }
    if (own.receive) {
      box.facts.push_back(fmt::format("receives {}", format_rate(own.receive->value)));
    }
    if (own.overhead && has_classes) {
      box.facts.push_back(fmt::format("a small message keeps it {}", format_seconds(own.overhead->value)));
    }
  }

  const Platform& platform_;
  NetworkStructure network_;
  std::vector<int> class_of_;
};

std::string title_of(const Platform& platform) {
  return fmt::format("{}: {}, {}, {}", platform.name, counted(platform.nodes.size(), "host"),
                     counted(platform.ranks.size(), "rank"), library_name(platform.implementation));
}

void describe_core(const NetworkStructure& network, NetworkView& view) {
  view.torus = network.torus;
  if (network.torus) {
    view.core = fmt::format("torus of {} hosts", fmt::join(network.torus->lengths, " x "));
    for (std::size_t i = 0; i < network.torus->bandwidths.size(); ++i) {
      if (const auto& bandwidth = network.torus->bandwidths[i]) {
        view.facts.push_back(fmt::format("links of {} along dimension {}", format_rate(bandwidth->value), i + 1));
      }
    }
  } else if (!network.levels.empty() && network.levels.back().junction == GroupJunction::kMesh) {
    view.core = network.groups.size() == 2 ? "a link between both groups" : "mesh: a link between each two groups";
  } else if (!network.levels.empty() && network.levels.back().junction == GroupJunction::kRows) {
    view.core = "rows: links between each two groups, from those at one place within them";
  } else if (!network.levels.empty() && !network.has_shared_links()) {
    view.core = "network";
  }
  if (network.backbone) {
    view.facts.push_back(fmt::format("a backbone of {} that all messages between {} share",
                                     format_rate(network.backbone->value),
                                     network.levels.empty() ? "hosts" : "groups"));
  }
  if (network.rails > 1) {
    view.facts.push_back(fmt::format("{} rails: links of each host to the network", network.rails));
  }
  if (network.half_duplex) {
    view.facts.emplace_back("half duplex: links carry what both directions send together");
  }
}

}  // namespace

std::string describe(const NetworkBox& box) {
  if (box.count == 1) {
    return "1 " + box.kind;
  }
  const bool is_named = box.kind == "host" || box.kind == "group";
  return fmt::format("{} {}s{}", box.count, box.kind, is_named ? " alike" : "");
}

std::string names_of(const NetworkBox& box) {
  constexpr std::size_t kFewGroups = 8;
  if (box.hosts.empty() || box.names.size() > kFewGroups) {
    return format_host_list(box.names);
  }
  std::string text;
  for (std::size_t i = 0; i < box.names.size(); ++i) {
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", box.names[i], box.hosts[i]);
  }
  return text;
}

std::string inside_of(const NetworkBox& host) {
  std::string text;
  for (const NetworkBox& part : host.parts) {
    const std::string inner = inside_of(part);
    text += (text.empty() ? "" : " and ") + describe(part) + (inner.empty() ? "" : ", each " + inner);
  }
  return text;
}

NetworkView network_view(const Platform& platform) {
  NetworkView view{.title = title_of(platform), .core = platform.nodes.size() > 1 ? "network" : "no network"};
  if (platform.network) {
    describe_core(*platform.network, view);
  }
  view.parts = ViewBuilder(platform).build();
  view.levels = level_times(platform);
  return view;
}

}  // namespace postage
