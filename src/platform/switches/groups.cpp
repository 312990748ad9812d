#include <postage/base/error.hpp>
#include <postage/platform/switch_tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace postage {
namespace {

std::string short_name(const std::string& host) {
  return host.substr(0, host.find('.'));
}

/// The switches of hosts, by the names that the site gives them.
class HostFinder {
 public:
  explicit HostFinder(const SwitchTree& tree) : tree_(tree) {
    for (std::size_t i = 0; i < tree.switches.size(); ++i) {
      for (const std::string& host : tree.switches[i].hosts) {
        whole_[host] = static_cast<int>(i);
        short_[short_name(host)].push_back(host);
      }
    }
  }

  /// Index of its switch.
  int find(const std::string& host) {
    const std::string listed = listed_name(host);
    const auto [other, is_new] = taken_.emplace(listed, host);
    if (!is_new) {
      throw UsageError(fmt::format("{}: host {} would be both {} and {} of the job; list them by their whole names",
                                   tree_.source.string(), listed, other->second, host));
    }
    return whole_[listed];
  }

 private:
  std::string listed_name(const std::string& host) const {
    if (whole_.contains(host)) {
      return host;
    }
    const auto found = short_.find(short_name(host));
    if (found == short_.end()) {
      throw UsageError(
          fmt::format("{}: host {}, on which ranks run, is on none of its {} switches; add it to the "
                      "Nodes= of its switch",
                      tree_.source.string(), host, tree_.switches.size()));
    }
    if (found->second.size() > 1) {
      throw UsageError(fmt::format("{}: host {} may be {} or {}; list it by its whole name", tree_.source.string(),
                                   host, found->second[0], found->second[1]));
    }
    return found->second.front();
  }

  const SwitchTree& tree_;
  std::map<std::string, int> whole_;
  std::map<std::string, std::vector<std::string>> short_;
  std::map<std::string, std::string> taken_;
};

/// Switches on the longest way from each down to a host of the job.
std::vector<int> heights_of(const SwitchTree& tree, std::span<const int> leaf_of) {
  std::vector<int> heights(tree.switches.size(), -1);
  for (const int leaf : leaf_of) {
    int height = 0;
    for (int at = leaf; at >= 0; at = tree.switches[static_cast<std::size_t>(at)].parent) {
      int& known = heights[static_cast<std::size_t>(at)];
      known = std::max(known, height++);
    }
  }
  return heights;
}

/// The highest switch above each host that is no higher than `level`.
std::vector<int> switches_at(const SwitchTree& tree, std::span<const int> leaf_of, std::span<const int> heights,
                             int level) {
  std::vector<int> above;
  for (int at : leaf_of) {
    for (int next = at; next >= 0 && heights[static_cast<std::size_t>(next)] <= level;) {
      at = next;
      next = tree.switches[static_cast<std::size_t>(at)].parent;
    }
    above.push_back(at);
  }
  return above;
}

/// Groups of the hosts by their switches, in order of their first hosts.
std::vector<HostGroup> groups_by(const SwitchTree& tree, std::span<const int> switches, int level) {
  std::vector<HostGroup> groups;
  std::map<int, std::size_t> group_of;
  for (std::size_t host = 0; host < switches.size(); ++host) {
    const auto [known, is_new] = group_of.emplace(switches[host], groups.size());
    if (is_new) {
      groups.push_back(
          {.name = tree.switches[static_cast<std::size_t>(switches[host])].name, .level = level, .hosts = {}});
    }
    groups[known->second].hosts.push_back(static_cast<int>(host));
  }
  return groups;
}

void set_group_parents(std::vector<HostGroup>& groups, std::size_t lower, std::size_t upper) {
  for (std::size_t i = lower; i < upper; ++i) {
    for (std::size_t above = upper; above < groups.size(); ++above) {
      if (std::ranges::binary_search(groups[above].hosts, groups[i].hosts.front())) {
        groups[i].parent = static_cast<int>(above);
      }
    }
  }
}

}  // namespace

NetworkStructure groups_of(const SwitchTree& tree, std::span<const std::string> hosts) {
  HostFinder finder(tree);
  std::vector<int> leaf_of;
  for (const std::string& host : hosts) {
    leaf_of.push_back(finder.find(host));
  }
  const std::vector<int> heights = heights_of(tree, leaf_of);
  NetworkStructure network;
  std::size_t lower = 0;  // first group of the level before
  for (int height = 0; height <= *std::ranges::max_element(heights); ++height) {
    std::vector<HostGroup> groups =
        groups_by(tree, switches_at(tree, leaf_of, heights, height), static_cast<int>(network.levels.size()));
    const std::size_t upper = network.groups.size();
    // Groups are parts of those of the next level: as many of them are the same ones.
    if (groups.size() < 2 || groups.size() == upper - lower) {
      continue;
    }
    network.levels.emplace_back();
    std::ranges::move(groups, std::back_inserter(network.groups));
    set_group_parents(network.groups, lower, upper);
    lower = upper;
  }
  return network;
}

}  // namespace postage
