#include "validate/outliers/pair_classes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace postage {
namespace {

using HostPair = std::pair<int, int>;
/// Channel, the level on which hosts meet or steps between them, kinds of both hosts.
using ClassKey = std::tuple<std::string, int, int, int>;

/// Fewer hosts of a kind are outliers rather than a kind.
std::size_t fewest_of_a_kind(std::size_t hosts) {
  return std::max<std::size_t>(3, (hosts + 3) / 4);
}

/// 0 for the most frequent class of hosts and those of too few.
std::vector<int> host_kinds(const HostPairTimes& times) {
  std::vector<int> kinds(times.hosts.size(), 0);
  if (!times.network) {
    return kinds;
  }
  const auto& classes = times.network->classes;
  const auto largest = std::ranges::max_element(classes, {}, [](const HostClass& c) { return c.hosts.size(); });
  for (auto own = classes.begin(); own != classes.end(); ++own) {
    if (own != largest && own->hosts.size() >= fewest_of_a_kind(times.hosts.size())) {
      for (const int host : own->hosts) {
        kinds[static_cast<std::size_t>(host)] = 1 + static_cast<int>(own - classes.begin());
      }
    }
  }
  return kinds;
}

/// Steps in a torus, or the lowest level of groups that holds both; groups of one host are none.
int common_level(const NetworkStructure& network, int a, int b) {
  if (network.torus) {
    int steps = 0;
    for (const int length : network.torus->lengths) {
      const int apart = std::abs(a % length - b % length);
      steps += std::min(apart, length - apart);
      a /= length;
      b /= length;
    }
    return steps;
  }
  int level = static_cast<int>(network.levels.size());
  for (const HostGroup& group : network.groups) {
    if (std::ranges::binary_search(group.hosts, a) && std::ranges::binary_search(group.hosts, b)) {
      level = std::min(level, group.level);
    }
  }
  return level;
}

/// Hosts that together are part of all these pairs, chosen one after the other by how many pairs they are part of.
std::set<int> cover_of(std::set<HostPair> pairs) {
  std::set<int> cover;
  while (!pairs.empty()) {
    std::map<int, int> degrees;
    for (const auto& [a, b] : pairs) {
      ++degrees[a];
      ++degrees[b];
    }
    const int most = std::ranges::max_element(degrees, {}, [](const auto& host) { return host.second; })->first;
    cover.insert(most);
    std::erase_if(pairs, [&](const HostPair& pair) { return pair.first == most || pair.second == most; });
  }
  return cover;
}

class ClassMerger {
 public:
  explicit ClassMerger(std::size_t hosts) : hosts_(hosts) {}

  void add(const ClassKey& key, const HostPair& pair) { pairs_[key].insert(pair); }

  /// The class that pairs of `key` are compared with.
  [[nodiscard]] std::map<ClassKey, int> numbers() const {
    std::map<ClassKey, int> number;
    for (const auto& [key, pairs] : pairs_) {
      number[key] = static_cast<int>(number.size());
    }
    std::map<ClassKey, int> merged = number;
    for (const auto& [key, pairs] : pairs_) {
      const ClassKey& largest = largest_like(key);
      if (key != largest && belongs_to_few(key, pairs)) {
        merged[key] = number[largest];
      }
    }
    return merged;
  }

 private:
  [[nodiscard]] const ClassKey& largest_like(const ClassKey& key) const {
    const auto size = [&](const auto& entry) {
      return std::get<0>(entry.first) == std::get<0>(key) ? entry.second.size() : 0;
    };
    return std::ranges::max_element(pairs_, {}, size)->first;
  }

  /// True where few hosts have all of these pairs, and no pair among these hosts is of another class: a cable that
  /// joins few hosts to the others is none of them.
  [[nodiscard]] bool belongs_to_few(const ClassKey& key, const std::set<HostPair>& pairs) const {
    const std::set<int> cover = cover_of(pairs);
    if (cover.size() > std::max<std::size_t>(1, hosts_ / 4)) {
      return false;
    }
    return std::ranges::none_of(pairs_, [&](const auto& entry) {
      return entry.first != key && std::get<0>(entry.first) == std::get<0>(key) &&
             std::ranges::any_of(entry.second, [&](const HostPair& pair) {
               return cover.contains(pair.first) && cover.contains(pair.second);
             });
    });
  }

  std::size_t hosts_;
  std::map<ClassKey, std::set<HostPair>> pairs_;
};

}  // namespace

std::vector<int> pair_classes(const HostPairTimes& times) {
  const std::vector<int> kinds = host_kinds(times);
  ClassMerger merger(times.hosts.size());
  std::vector<ClassKey> keys;
  for (const HostPairTime& time : times.times) {
    const auto [low, high] =
        std::minmax(kinds[static_cast<std::size_t>(time.first)], kinds[static_cast<std::size_t>(time.second)]);
    const int level =
        times.network && time.first != time.second ? common_level(*times.network, time.first, time.second) : 0;
    keys.emplace_back(time.channel, level, low, high);
    merger.add(keys.back(), std::minmax(time.first, time.second));
  }
  const std::map<ClassKey, int> numbers = merger.numbers();
  std::vector<int> classes;
  for (const ClassKey& key : keys) {
    classes.push_back(numbers.at(key));
  }
  return classes;
}

}  // namespace postage
