#include "samples/structure/known_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace postage {
namespace {

constexpr int kSweeps = 30;

/// A pair of groups over one channel, and its times.
struct KnownTimes {
  int a = 0;
  int b = 0;
  const TimeClass* one = nullptr;
};

/// Hosts that all differ: each group has a share in the smallest message's time, and what larger ones take longer is
/// the sum of both groups' shares, or that of the slower group.
class SharesRule final : public PairRule {
 public:
  explicit SharesRule(const KnownPairs& known) : classes_(known.classes) {
    for (std::size_t a = 0; a < known.rows.size(); ++a) {
      for (const auto& [key, one] : known.rows[a]) {
        if (key.second >= static_cast<int>(a)) {
          pairs_[key.first].push_back({static_cast<int>(a), key.second, &classes_[static_cast<std::size_t>(one)]});
        }
      }
    }
    for (const auto& [channel, pairs] : pairs_) {
      fit(channel, pairs, known.rows.size());
    }
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      by_first_time_.emplace(std::pair(classes_[i].channel, classes_[i].times.front()), static_cast<int>(i));
    }
  }

  [[nodiscard]] std::optional<int> class_of(int channel, int a, int b) const override {
    const auto shares = shares_.find(channel);
    if (shares == shares_.end()) {
      return std::nullopt;
    }
    return closest({.channel = channel, .times = shares->second.times_of(a, b), .pairs = {}});
  }

 private:
  /// The class whose times are closest: outwards from that of the same first time, while that alone is close enough.
  [[nodiscard]] std::optional<int> closest(const TimeClass& expected) const {
    std::optional<int> best;
    double least = 1;
    const double first = std::max(expected.times.front(), 1e-12);
    const auto is_worse = [&](const auto& entry) {
      return entry.first.first != expected.channel ||
             (best && std::abs(std::log(std::max(entry.first.second, 1e-12) / first)) >= least);
    };
    const auto take = [&](int index) {
      const double away = distance(expected, classes_[static_cast<std::size_t>(index)]);
      if (!best || away < least) {
        best = index;
        least = away;
      }
    };
    const auto middle = by_first_time_.lower_bound({expected.channel, expected.times.front()});
    for (auto above = middle; above != by_first_time_.end() && !is_worse(*above); ++above) {
      take(above->second);
    }
    for (auto below = middle; below != by_first_time_.begin() && !is_worse(*std::prev(below)); --below) {
      take(std::prev(below)->second);
    }
    return best;
  }

  /// Of one channel's groups.
  struct Shares {
    std::vector<double> of_smallest;
    std::vector<std::vector<double>> of_more;  ///< [size - 1][group]
    std::vector<bool> is_slower;               ///< [size - 1]: the slower group's share, not the sum

    [[nodiscard]] std::vector<double> times_of(int a, int b) const {
      const auto x = static_cast<std::size_t>(a);
      const auto y = static_cast<std::size_t>(b);
      std::vector<double> times{of_smallest[x] + of_smallest[y]};
      for (std::size_t i = 0; i < of_more.size(); ++i) {
        const auto& more = of_more[i];
        times.push_back(times.front() + (is_slower[i] ? std::max(more[x], more[y]) : more[x] + more[y]));
      }
      return times;
    }
  };

  template <typename Value>
  static std::vector<double> sums(const std::vector<KnownTimes>& pairs, std::size_t groups, const Value& value) {
    std::vector<double> shares(groups);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      std::vector<double> rest(groups);
      std::vector<int> count(groups);
      for (const KnownTimes& pair : pairs) {
        const auto a = static_cast<std::size_t>(pair.a);
        const auto b = static_cast<std::size_t>(pair.b);
        rest[a] += value(pair) - shares[b];
        rest[b] += value(pair) - shares[a];
        ++count[a];
        ++count[b];
      }
      for (std::size_t i = 0; i < groups; ++i) {
        shares[i] = count[i] > 0 ? (shares[i] + rest[i] / count[i]) / 2 : 0;
      }
    }
    return shares;
  }

  /// A pair is no faster than the slower one: a group's share is the least of its pairs'.
  template <typename Value>
  static std::vector<double> least(const std::vector<KnownTimes>& pairs, std::size_t groups, const Value& value) {
    std::vector<double> shares(groups, -1);
    for (const KnownTimes& pair : pairs) {
      for (const int group : {pair.a, pair.b}) {
        double& own = shares[static_cast<std::size_t>(group)];
        own = own < 0 ? value(pair) : std::min(own, value(pair));
      }
    }
    return shares;
  }

  void fit(int channel, const std::vector<KnownTimes>& pairs, std::size_t groups) {
    Shares& shares = shares_[channel];
    shares.of_smallest = sums(pairs, groups, [](const KnownTimes& pair) { return pair.one->times.front(); });
    for (std::size_t i = 1; i < pairs.front().one->times.size(); ++i) {
      const auto more = [&](const KnownTimes& pair) { return pair.one->times[i] - pair.one->times.front(); };
      const std::vector<double> sum = sums(pairs, groups, more);
      const std::vector<double> slower = least(pairs, groups, more);
      double miss_of_sum = 0;
      double miss_of_slower = 0;
      for (const KnownTimes& pair : pairs) {
        const auto a = static_cast<std::size_t>(pair.a);
        const auto b = static_cast<std::size_t>(pair.b);
        miss_of_sum += std::abs(sum[a] + sum[b] - more(pair));
        miss_of_slower += std::abs(std::max(slower[a], slower[b]) - more(pair));
      }
      shares.is_slower.push_back(miss_of_slower < miss_of_sum);
      shares.of_more.push_back(shares.is_slower.back() ? slower : sum);
    }
  }

  const std::vector<TimeClass>& classes_;
  std::map<int, std::vector<KnownTimes>> pairs_;
  std::map<int, Shares> shares_;
  std::multimap<std::pair<int, double>, int> by_first_time_;  ///< classes
};

}  // namespace

std::unique_ptr<PairRule> shares_rule(const KnownPairs& known) {
  return std::make_unique<SharesRule>(known);
}

}  // namespace postage
