#include "samples/structure/known_pairs.hpp"

#include <algorithm>

namespace postage {
namespace {

/// So many known pairs tell how well a rule explains them.
constexpr std::size_t kTriedPairs = 2000;

struct KnownPair {
  int channel = 0;
  int a = 0;
  int b = 0;
  int one = 0;
};

std::vector<KnownPair> some_known_pairs(const KnownPairs& known) {
  std::vector<KnownPair> all;
  for (int a = 0; a < static_cast<int>(known.rows.size()); ++a) {
    for (const auto& [key, one] : known.rows[static_cast<std::size_t>(a)]) {
      if (key.second > a) {
        all.push_back({key.first, a, key.second, one});
      }
    }
  }
  std::vector<KnownPair> some;
  const std::size_t step = all.size() / kTriedPairs + 1;
  for (std::size_t i = 0; i < all.size(); i += step) {
    some.push_back(all[i]);
  }
  return some;
}

/// Mean of what its classes' times are away from the true ones; a pair of which it says nothing counts as far away.
double miss_of(const PairRule& rule, const std::vector<KnownPair>& pairs, const std::vector<TimeClass>& classes) {
  double sum = 0;
  for (const KnownPair& pair : pairs) {
    const std::optional<int> said = rule.class_of(pair.channel, pair.a, pair.b);
    sum += said ? distance(classes[static_cast<std::size_t>(*said)], classes[static_cast<std::size_t>(pair.one)]) : 1;
  }
  return sum / static_cast<double>(std::max<std::size_t>(pairs.size(), 1));
}

}  // namespace

BestRule::BestRule(const KnownPairs& known) {
  std::map<int, std::size_t> most;
  for (std::size_t i = 0; i < known.classes.size(); ++i) {
    const TimeClass& one = known.classes[i];
    if (one.pairs.size() > most[one.channel]) {
      most[one.channel] = one.pairs.size();
      usual_[one.channel] = static_cast<int>(i);
    }
  }
  const std::vector<KnownPair> pairs = some_known_pairs(known);
  double least = 0;
  for (const auto make : {tree_rule, similar_rule, hops_rule, shares_rule}) {
    std::unique_ptr<PairRule> rule = make(known);
    const double miss = miss_of(*rule, pairs, known.classes);
    if (rule_ == nullptr || miss < least) {
      rule_ = std::move(rule);
      least = miss;
    }
  }
}

int BestRule::class_of(int channel, int a, int b) const {
  const std::optional<int> said = rule_->class_of(channel, a, b);
  return said ? *said : usual_.at(channel);
}

}  // namespace postage
