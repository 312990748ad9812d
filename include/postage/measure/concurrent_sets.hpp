#pragma once

#include <postage/schedule/schedule.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace postage {

/// Ranks that work together in one experiment, in the order of their roles; the first one leads and times.
using RankGroup = std::vector<Rank>;

/// Groups that work at the same time: no two of them have a host in common, so that nothing but a switch, which does
/// not contend, lies between them (A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009, section 3).
using ConcurrentSet = std::vector<RankGroup>;

/// Every pair of 0 .. count-1 once, in sets of disjoint pairs: the 1-factorisation of the complete graph by the
/// circle method (T. P. Kirkman, 1847): one item stands still, the others turn around it. count - 1 sets where count
/// is even, count where it is odd (then one item rests in each set): no fewer are possible. Each item comes first in
/// about half of its pairs. Nothing for fewer than two. O(count^2).
[[nodiscard]] std::vector<ConcurrentSet> pair_sets(Rank count);

/// Triplets of 0 .. count-1 in sets of disjoint triplets, so that each item is in at least `at_least` of them:
///
/// - where at_least is more than half of the C(count-1, 2) triplets that an item can be in, every triplet once, each in
///   the first set with room for it: no more than 3 C(count-1, 2) sets;
/// - else sets(count, at_least) = ceil(at_least*count / (3 floor(count/3))) sets, each of floor(count/3) triplets:
///   the items with the fewest triplets so far, joined with those whom they have met least; one that came before is
///   broken up. In every set all but the count mod 3 items with the most triplets take part, so their numbers never
///   differ by more than one, and their average after that many sets is at least `at_least`: so is the least of them.
///   For count >= 3 this is at most at_least*(1 + 2/3) + 1, whatever the count.
///
/// Of more than 512 items, one set more than that, each of items in steps along a circle, without regard to whom they
/// have met.
///
/// Nothing for fewer than three. O(count^2) a set for the second way, O(count) for many items.
[[nodiscard]] std::vector<ConcurrentSet> triplet_sets(Rank count, int at_least);

/// Puts each group into the first set in which none of its hosts is busy yet; `host_of` gives each rank's host. Where
/// the groups come as a sequence of sets that would do, the result has no more sets than these. O(groups *
/// sets/64).
[[nodiscard]] std::vector<ConcurrentSet> pack_into_sets(std::span<const RankGroup> groups,
                                                        std::span<const int> host_of);

/// The groups of all sets, in order.
[[nodiscard]] std::vector<RankGroup> groups_of(std::span<const ConcurrentSet> sets);

/// One group a set: what is left of the sets where nothing may happen at the same time.
[[nodiscard]] std::vector<ConcurrentSet> one_by_one(std::span<const ConcurrentSet> sets);

/// Pairs of ranks to measure and the sets to do it in. Up to 64 ranks all pairs. Above that
/// - between each two hosts one pair, of ranks that differ from one pair of hosts to the next;
/// - on each host all pairs of up to 16 ranks, else each rank with those at distance 1, 2, 4, 8, ... around the host.
/// With h hosts of one rank that is h - 1 sets (h where h is odd): the campaign grows linearly.
[[nodiscard]] std::vector<ConcurrentSet> pairs_to_measure(std::span<const int> host_of);

/// Triplets of ranks to measure and the sets to do it in, each six times, twice with each member first: what a first
/// send costs shows where the second target is the slower one, and one of the two orders has it so. On three hosts or
/// more the three ranks are on different hosts, and each rank comes first at least `at_least` times; on fewer hosts
/// they are any ranks, one triplet at a time. With h hosts of one rank that is 6 sets(h, ceil(at_least/2)), which
/// does not grow with h (see triplet_sets).
[[nodiscard]] std::vector<ConcurrentSet> triplets_to_measure(std::span<const int> host_of, int at_least);

}  // namespace postage
