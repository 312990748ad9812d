#include "samples/structure/known_pairs.hpp"

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

/// Groups below switches: two groups' pairs are of the class that joins what lies below the lowest switch above both.
class TreeRule final : public PairRule {
 public:
  explicit TreeRule(const KnownPairs& known)
      : classes_(known.classes),
        parent_(known.rows.size()),
        joined_by_(known.rows.size()),
        size_(known.rows.size(), 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
    std::vector<std::vector<std::pair<int, int>>> pairs(classes_.size());
    for (int a = 0; a < static_cast<int>(known.rows.size()); ++a) {
      for (const auto& [key, one] : known.rows[at(a)]) {
        pairs[at(one)].emplace_back(a, key.second);
      }
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (const auto& [a, b] : pairs[i]) {
        join(root_of(a), root_of(b), static_cast<int>(i));
      }
    }
  }

  [[nodiscard]] std::optional<int> class_of(int channel, int a, int b) const override {
    // By size, so that the way to the root is short; along it groups are joined by ever slower classes.
    int last = -1;
    while (a != b && (parent_[at(a)] != a || parent_[at(b)] != b)) {
      const bool climbs_a = parent_[at(b)] == b || (parent_[at(a)] != a && joined_by_[at(a)] <= joined_by_[at(b)]);
      int& lower = climbs_a ? a : b;
      last = std::max(last, joined_by_[at(lower)]);
      lower = parent_[at(lower)];
    }
    const bool is_known = a == b && last >= 0 && classes_[at(last)].channel == channel;
    return is_known ? std::optional(last) : std::nullopt;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  [[nodiscard]] int root_of(int group) const {
    while (parent_[at(group)] != group) {
      group = parent_[at(group)];
    }
    return group;
  }

  void join(int a, int b, int by) {
    if (a == b) {
      return;
    }
    if (size_[at(a)] > size_[at(b)]) {
      std::swap(a, b);
    }
    parent_[at(a)] = b;
    joined_by_[at(a)] = by;
    size_[at(b)] += size_[at(a)];
  }

  const std::vector<TimeClass>& classes_;
  std::vector<int> parent_;
  std::vector<int> joined_by_;  ///< class of the pair that joined a group to its parent
  std::vector<int> size_;
};

}  // namespace

std::unique_ptr<PairRule> tree_rule(const KnownPairs& known) {
  return std::make_unique<TreeRule>(known);
}

}  // namespace postage
