#pragma once

#include <postage/platform/platform.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace postage {

/// Two ranks, the lower one first.
using RankPair = std::pair<int, int>;

/// A few cheap roundtrips between two ranks: what one takes at each of the probed sizes.
struct PairProbe {
  RankPair ranks;
  std::vector<Estimate> times;
  bool operator==(const PairProbe&) const = default;
};

/// Those of a campaign, which tell which pairs are alike.
struct PairProbes {
  std::vector<Bytes> sizes{};
  std::vector<PairProbe> pairs{};
  [[nodiscard]] bool empty() const { return pairs.empty(); }
  bool operator==(const PairProbes&) const = default;
};

/// Pairs of ranks over one channel between which messages take the same.
struct AlikePairs {
  std::string channel;
  std::vector<double> times;                     ///< medians over the probed pairs, at each probed size
  std::vector<RankPair> probed;                  ///< in order of their higher ranks
  std::vector<std::pair<int, int>> of_groups{};  ///< groups whose pairs over the channel these are, the lower one first
  std::size_t pairs = 0;                         ///< of ranks, probed or not
};

/// Which pairs of ranks are alike, of all pairs though few were probed.
struct PairStructure {
  /// By rank: ranks of one group are alike in what messages take between them and any other rank.
  std::vector<int> group_of{};
  std::vector<AlikePairs> classes{};
  /// By channel and the groups, the lower one first: index of the class.
  std::map<std::tuple<std::string, int, int>, std::size_t> class_of_groups{};

  [[nodiscard]] bool empty() const { return classes.empty(); }
  [[nodiscard]] int groups() const;
  /// Index of the class of two ranks over this channel. Requires that there is such a pair.
  [[nodiscard]] std::size_t class_of(const std::string& channel, int a, int b) const;
};

/// Exact times that are alike differ by less, as a share.
inline constexpr double kLeastAlike = 1e-3;

/// True where the two times at each size differ by no more than their intervals explain: the sum of the squares of what
/// they differ by, over what they are uncertain by, is what chance makes of as many, with a penalty of ln(n) for the
/// parameters that two sets have more than one. Single outliers do not count for more than three deviations. Exact
/// times differ where they are a thousandth apart, others where they are `least_share` apart. True for none.
[[nodiscard]] bool are_alike(std::span<const std::pair<Estimate, Estimate>> times, double least_share = kLeastAlike);

/// Probed times that are not exact count as alike up to this difference.
inline constexpr double kLeastProbedDifference = 0.02;
[[nodiscard]] bool are_alike(const std::vector<Estimate>& a, const std::vector<Estimate>& b,
                             double least_share = kLeastProbedDifference);

/// The same of two pairs of cores of a real node that are as near to one another. On 16 cores of one mesh pairs were 10
/// % around their median, and changes of the machine's speed as large: to tell such pairs apart divided the time of a
/// campaign by 15 classes, whose predictions were worse than those from one.
inline constexpr double kLeastDifferenceWithinNode = 0.25;
[[nodiscard]] constexpr double least_difference_within_nodes(bool is_virtual) {
  return is_virtual ? kLeastProbedDifference : kLeastDifferenceWithinNode;
}

/// Structure before parameters:
///
/// - probed pairs whose times are_alike are of one class;
/// - two ranks that were probed with one another are of one group, where all ranks that both were probed with see no
///   difference between them, and neither do the pairs within their groups;
/// - pairs of groups of which no pair was probed get a class by the rule that explains the probed ones best: a tree
/// (the
///   level on which both groups meet, by single linkage), hops along the fastest pairs, each group's own share of a
///   time, or the group that is most alike where both were probed.
///
/// O(n d^2 + g^2) for n ranks that were probed with d others, and g groups.
/// Within a node, pairs are alike up to `within_nodes`.
[[nodiscard]] PairStructure find_pair_structure(const PairProbes& probes, std::span<const Node> nodes,
                                                std::span<const RankPlacement> ranks,
                                                double within_nodes = kLeastProbedDifference);

/// Ranks by what they take part in: those whose pairs are of the same classes are of one kind, [rank] -> kind.
[[nodiscard]] std::vector<int> kinds_of_ranks(const PairStructure& structure);

/// The same, but ranks of a kind none of which is `known` are of the known kind that is most like it: whose pairs with
/// most third groups are of the same classes. A host that is the only slow one of its switch is of a kind of its own,
/// since no pair beside it is like its pairs there, but its processor is like that of other slow ones. O(u k c) for u
/// kinds that are not known, k that are, and c classes of groups.
[[nodiscard]] std::vector<int> kinds_of_ranks(const PairStructure& structure, const std::set<int>& known);

/// For each class the one that stands for it: itself where one of these pairs is of it, else that of the same channel
/// whose times are closest. A class of a channel none of whose pairs is there stands for itself.
[[nodiscard]] std::vector<std::size_t> stand_ins(const PairStructure& structure, const std::vector<bool>& is_measured);

}  // namespace postage
