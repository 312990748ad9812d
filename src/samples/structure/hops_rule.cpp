#include "samples/structure/known_pairs.hpp"

#include <algorithm>
#include <deque>

namespace postage {
namespace {

/// Of more groups the distances between all are not kept.
constexpr std::size_t kMostGroups = 2048;

/// Tori and meshes: the class follows from the number of hops along the fastest pairs of the farthest channel.
class HopsRule final : public PairRule {
 public:
  explicit HopsRule(const KnownPairs& known) : groups_(known.rows.size()) {
    if (known.classes.empty() || groups_ > kMostGroups) {
      return;
    }
    channel_ = known.classes.back().channel;
    const auto first = std::find_if(known.classes.begin(), known.classes.end(),
                                    [&](const TimeClass& one) { return one.channel == channel_; });
    find_hops(known, static_cast<int>(first - known.classes.begin()));
    find_classes(known);
  }

  [[nodiscard]] std::optional<int> class_of(int channel, int a, int b) const override {
    if (channel != channel_ || hops_.empty()) {
      return std::nullopt;
    }
    const auto found = by_hops_.find(hops(a, b));
    return found == by_hops_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  [[nodiscard]] int hops(int a, int b) const {
    return hops_[static_cast<std::size_t>(a) * groups_ + static_cast<std::size_t>(b)];
  }

  void find_hops(const KnownPairs& known, int fastest) {
    hops_.assign(groups_ * groups_, -1);
    for (std::size_t start = 0; start < groups_; ++start) {
      int* const own = &hops_[start * groups_];
      std::deque<std::size_t> next{start};
      own[start] = 0;
      while (!next.empty()) {
        const std::size_t here = next.front();
        next.pop_front();
        for (const auto& [key, one] : known.rows[here]) {
          const auto other = static_cast<std::size_t>(key.second);
          if (one == fastest && own[other] < 0) {
            own[other] = own[here] + 1;
            next.push_back(other);
          }
        }
      }
    }
  }

  /// Of each number of hops the most frequent class.
  void find_classes(const KnownPairs& known) {
    std::map<int, std::map<int, int>> votes;
    for (std::size_t a = 0; a < groups_; ++a) {
      for (const auto& [key, one] : known.rows[a]) {
        if (key.first == channel_) {
          ++votes[hops(static_cast<int>(a), key.second)][one];
        }
      }
    }
    for (const auto& [distance, classes] : votes) {
      by_hops_[distance] = std::max_element(classes.begin(), classes.end(), [](const auto& x, const auto& y) {
                             return x.second < y.second;
                           })->first;
    }
  }

  std::size_t groups_;
  int channel_ = -1;
  std::vector<int> hops_;
  std::map<int, int> by_hops_;
};

}  // namespace

std::unique_ptr<PairRule> hops_rule(const KnownPairs& known) {
  return std::make_unique<HopsRule>(known);
}

}  // namespace postage
