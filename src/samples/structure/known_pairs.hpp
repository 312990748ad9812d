#pragma once

#include <postage/samples/pair_structure.hpp>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace postage {

/// A class of probed pairs.
struct TimeClass {
  int channel = 0;            ///< number of a channel, nearer ones first
  std::vector<double> times;  ///< medians, at each size
  std::vector<RankPair> pairs;
};

/// Probed pairs by what they take: see are_alike. Those of one channel follow one another from fast to slow. O(n log n)
/// where few classes are close.
[[nodiscard]] std::vector<TimeClass> time_classes(const PairProbes& probes, std::span<const Node> nodes,
                                                  std::span<const RankPlacement> ranks, double within_nodes);

/// Channels by the numbers of TimeClass.
[[nodiscard]] int channel_number(std::span<const Node> nodes, std::span<const RankPlacement> ranks, int a, int b);
[[nodiscard]] const char* channel_name(int number);
[[nodiscard]] int channel_number_between_nodes();

/// What is known of pairs of groups: the class of those of which a pair was probed.
struct KnownPairs {
  /// By group: the classes of its pairs with others, by channel and other group; with itself for pairs within it.
  std::vector<std::map<std::pair<int, int>, int>> rows;
  const std::vector<TimeClass>& classes;

  [[nodiscard]] std::optional<int> at(int channel, int a, int b) const {
    const auto& row = rows[static_cast<std::size_t>(a)];
    const auto found = row.find({channel, b});
    return found == row.end() ? std::nullopt : std::optional(found->second);
  }
};

/// Ranks joined to groups, by the rule of find_pair_structure. `group_of` becomes each rank's.
[[nodiscard]] KnownPairs join_groups(const std::vector<TimeClass>& classes, std::size_t ranks,
                                     std::vector<int>& group_of);

/// A way to tell the class of two groups' pairs from those that are known.
class PairRule {
 public:
  virtual ~PairRule() = default;
  /// Nothing where the rule says nothing of them; as if the class of these two were not known.
  [[nodiscard]] virtual std::optional<int> class_of(int channel, int a, int b) const = 0;
};

/// The rule that explains the known pairs best: the one whose classes' times are closest to theirs. Where it says
/// nothing, the channel's most frequent class.
class BestRule {
 public:
  explicit BestRule(const KnownPairs& known);
  /// False for channels of which no pair is known.
  [[nodiscard]] bool knows(int channel) const { return usual_.contains(channel); }
  [[nodiscard]] int class_of(int channel, int a, int b) const;

 private:
  std::unique_ptr<PairRule> rule_;
  std::map<int, int> usual_;  ///< by channel
};

[[nodiscard]] std::unique_ptr<PairRule> tree_rule(const KnownPairs& known);
[[nodiscard]] std::unique_ptr<PairRule> similar_rule(const KnownPairs& known);
[[nodiscard]] std::unique_ptr<PairRule> hops_rule(const KnownPairs& known);
[[nodiscard]] std::unique_ptr<PairRule> shares_rule(const KnownPairs& known);

/// By how much two classes' times differ: the largest |ln| of a ratio; at most 1.
[[nodiscard]] double distance(const TimeClass& a, const TimeClass& b);

}  // namespace postage
