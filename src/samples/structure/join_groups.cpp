#include "samples/structure/known_pairs.hpp"

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

using Row = std::map<std::pair<int, int>, int>;

/// Joins groups, which are ranks at first, while nothing that was probed contradicts.
class Joiner {
 public:
  Joiner(const std::vector<TimeClass>& classes, std::size_t ranks) : classes_(classes), rows_(ranks), group_of_(ranks) {
    std::iota(group_of_.begin(), group_of_.end(), 0);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      for (const auto& [a, b] : classes[i].pairs) {
        rows_[at(a)][{classes[i].channel, b}] = static_cast<int>(i);
        rows_[at(b)][{classes[i].channel, a}] = static_cast<int>(i);
      }
    }
  }

  /// From fast pairs to slow ones, as single linkage does.
  void join_all() {
    for (const TimeClass& one : classes_) {
      for (const auto& [a, b] : one.pairs) {
        join_if_alike(group_of(a), group_of(b));
      }
    }
  }

  /// Numbered in the order of their first ranks.
  [[nodiscard]] std::vector<int> groups() {
    std::vector<int> numbers(rows_.size(), -1);
    std::vector<int> groups;
    int next = 0;
    for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
      int& number = numbers[at(group_of(static_cast<int>(rank)))];
      number = number < 0 ? next++ : number;
      groups.push_back(number);
    }
    return groups;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  int group_of(int rank) {
    int& group = group_of_[at(rank)];
    if (group != rank) {
      group = group_of(group);
    }
    return group;
  }

  /// The class of pairs within both together, by channel; nothing where there are several. Adds to `agreements` how
  /// many more of pairs within a, within b and between both are known than their channels.
  [[nodiscard]] std::optional<std::map<int, int>> inside(int a, int b, int& agreements) const {
    std::map<int, int> within;
    for (const auto& [group, other] : {std::pair(a, a), std::pair(b, b), std::pair(a, b)}) {
      for (const auto& [key, one] : rows_[at(group)]) {
        if (key.second != other) {
          continue;
        }
        const auto [known, is_new] = within.try_emplace(key.first, one);
        if (known->second != one) {
          return std::nullopt;
        }
        agreements += is_new ? 0 : 1;
      }
    }
    return within;
  }

  /// How many others see no difference between the two; nothing where one does.
  [[nodiscard]] std::optional<int> agreements(int a, int b) const {
    int count = 0;
    for (const auto& [key, one] : rows_[at(a)]) {
      const auto same = rows_[at(b)].find(key);
      if (key.second == a || key.second == b || same == rows_[at(b)].end()) {
        continue;
      }
      if (same->second != one) {
        return std::nullopt;
      }
      ++count;
    }
    return count;
  }

  void join_if_alike(int a, int b) {
    auto seen = a == b ? std::nullopt : agreements(a, b);
    const auto within = seen ? inside(a, b, *seen) : std::nullopt;
    // Two ranks of which nothing else is known may be alike by chance, unless there is nobody else.
    if (!within || (*seen == 0 && rows_.size() > 2)) {
      return;
    }
    group_of_[at(b)] = a;
    Row joined;
    for (const auto& [channel, one] : *within) {
      joined[{channel, a}] = one;
    }
    for (const int group : {a, b}) {
      for (const auto& [key, one] : rows_[at(group)]) {
        if (key.second != a && key.second != b) {
          joined[key] = one;
          rows_[at(key.second)].erase({key.first, b});
          rows_[at(key.second)][{key.first, a}] = one;
        }
      }
    }
    rows_[at(a)] = std::move(joined);
    rows_[at(b)].clear();
  }

  const std::vector<TimeClass>& classes_;
  std::vector<Row> rows_;
  std::vector<int> group_of_;
};

}  // namespace

KnownPairs join_groups(const std::vector<TimeClass>& classes, std::size_t ranks, std::vector<int>& group_of) {
  Joiner joiner(classes, ranks);
  joiner.join_all();
  group_of = joiner.groups();
  const int count = group_of.empty() ? 0 : 1 + *std::max_element(group_of.begin(), group_of.end());
  KnownPairs known{std::vector<Row>(static_cast<std::size_t>(count)), classes};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (const auto& [first, second] : classes[i].pairs) {
      const int a = group_of[static_cast<std::size_t>(first)];
      const int b = group_of[static_cast<std::size_t>(second)];
      known.rows[static_cast<std::size_t>(a)][{classes[i].channel, b}] = static_cast<int>(i);
      known.rows[static_cast<std::size_t>(b)][{classes[i].channel, a}] = static_cast<int>(i);
    }
  }
  return known;
}

}  // namespace postage
