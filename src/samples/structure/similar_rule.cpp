#include "samples/structure/known_pairs.hpp"

#include <algorithm>

namespace postage {
namespace {

/// What is known of the group that is most like one of the two, and the other.
class SimilarRule final : public PairRule {
 public:
  explicit SimilarRule(const KnownPairs& known) : known_(known) {}

  [[nodiscard]] std::optional<int> class_of(int channel, int a, int b) const override {
    Best best;
    look_for(channel, a, b, best);
    look_for(channel, b, a, best);
    return best.one;
  }

 private:
  struct Best {
    std::pair<double, int> likeness{0, 0};  ///< share of the others that see no difference, and their number
    std::optional<int> one;
  };

  /// Groups like `a` of which pairs with `b` are known.
  void look_for(int channel, int a, int b, Best& best) const {
    for (const auto& [key, one] : known_.rows[static_cast<std::size_t>(b)]) {
      if (key.first != channel || key.second == a || key.second == b) {
        continue;
      }
      const std::pair<double, int> likeness = likeness_of(a, key.second, b);
      if (likeness > best.likeness) {
        best = {likeness, one};
      }
    }
  }

  [[nodiscard]] std::pair<double, int> likeness_of(int a, int other, int without) const {
    double agreement = 0;
    int count = 0;
    for (const auto& [key, one] : known_.rows[static_cast<std::size_t>(a)]) {
      const auto same = key.second == without ? std::nullopt : known_.at(key.first, other, key.second);
      if (same && key.second != a && key.second != other) {
        agreement += 1 - distance(known_.classes[static_cast<std::size_t>(one)],
                                  known_.classes[static_cast<std::size_t>(*same)]);
        ++count;
      }
    }
    // As if one more had been asked, that sees a difference: few that agree say little.
    return {agreement / (count + 1), count};
  }

  const KnownPairs& known_;
};

}  // namespace

std::unique_ptr<PairRule> similar_rule(const KnownPairs& known) {
  return std::make_unique<SimilarRule>(known);
}

}  // namespace postage
