#include "measure/campaign/disturbance.hpp"

#include "measure/messages.hpp"
#include "measure/permutations.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace postage {
namespace {

constexpr std::size_t kProbeBytes = std::size_t{64} << 10;
constexpr std::size_t kProbedSets = 32;
constexpr std::size_t kPairsAlone = 16;  ///< of each set
constexpr std::size_t kShuffledSets = 16;
constexpr int kProbes = 3;
/// Together pairs may take this much longer by chance.
constexpr double kDisturbed = 1.2;
/// The same where those alone took the same time each time, within the share that follows.
constexpr double kDisturbedIfExact = 1.01;
constexpr double kExact = 1e-3;

/// This rank's pair among those of a set; nothing where it rests.
const RankGroup* group_of(Rank rank, const ConcurrentSet& set) {
  const auto found = std::find_if(set.begin(), set.end(), [&](const RankGroup& group) {
    return std::find(group.begin(), group.end(), rank) != group.end();
  });
  return found == set.end() ? nullptr : &*found;
}

/// Messages both ways at once between two ranks that both call it: what one pair may do in an experiment. A link that
/// all messages share can carry those of all pairs in one direction, but not in both.
class ProbedPair {
 public:
  struct Summary {
    Seconds median = 0;
    bool is_exact = false;
  };

  ProbedPair(Transport& transport, const RankGroup& pair)
      : transport_(transport), pair_(pair), sent_(kProbeBytes), received_(kProbeBytes) {}

  /// Of some, after one that tells both that the other is there.
  Summary times() {
    Seconds start = transport_.now();
    exchange();
    std::vector<double> times;
    for (int i = 0; i < kProbes; ++i) {
      start = common_start(transport_.now() - start);
      exchange();
      times.push_back(transport_.now() - start);
    }
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    return {median(times), *most <= *least * (1 + kExact)};
  }

 private:
  [[nodiscard]] bool is_first() const { return transport_.rank() == pair_[0]; }
  [[nodiscard]] Rank other() const { return is_first() ? pair_[1] : pair_[0]; }

  void exchange() { postage::exchange(transport_, sent_, other(), received_, other(), kDataTag); }

  /// When both begin, where they have one clock: one that begins later makes the other's time longer, as another pair
  /// would. The first one tells when, as long before as the exchange before took.
  [[nodiscard]] Seconds common_start(Seconds before) {
    if (!transport_.has_global_clock()) {
      return transport_.now();
    }
    const Seconds own = transport_.now() + before;
    if (is_first()) {
      send_value(transport_, own, other(), kStartTag);
    }
    const Seconds start = is_first() ? own : receive_value<Seconds>(transport_, other(), kStartTag);
    transport_.wait_until(start);
    return start;
  }

  Transport& transport_;
  const RankGroup& pair_;
  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
};

/// True where this rank's pair takes longer beside the others of the set.
bool is_disturbed_in(Transport& transport, const ConcurrentSet& set) {
  const RankGroup* own = group_of(transport.rank(), set);
  ProbedPair::Summary alone{std::numeric_limits<Seconds>::infinity()};
  const std::size_t count = std::min(kPairsAlone, set.size());
  for (std::size_t i = 0; i < count; ++i) {
    const RankGroup& group = set[i * set.size() / count];
    if (&group == own) {
      alone = ProbedPair(transport, group).times();
    }
    transport.barrier();
  }
  const Seconds together = own != nullptr ? ProbedPair(transport, *own).times().median : 0;
  transport.barrier();
  return together > alone.median * (alone.is_exact ? kDisturbedIfExact : kDisturbed);
}

/// The first ranks of all hosts in pairs that chance makes, either of which may begin: those taken evenly from a list
/// in which hosts come in turn may all be of hosts that share no link.
std::vector<ConcurrentSet> shuffled_sets(const RankPlacements& placements) {
  const RankGroup firsts = first_ranks(placements);
  std::mt19937_64 random(1);
  std::vector<ConcurrentSet> sets(firsts.size() < 4 ? 0 : kShuffledSets);
  for (ConcurrentSet& set : sets) {
    const RankGroup order = shuffled(firsts, random);
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
      set.push_back({order[i], order[i + 1]});
    }
  }
  return sets;
}

/// Sets of at least two pairs, evenly from the list, and shuffled ones.
std::vector<ConcurrentSet> probed_sets(const RankPlacements& placements) {
  std::vector<ConcurrentSet> sets = pairs_to_measure(placements.host_of());
  std::erase_if(sets, [](const ConcurrentSet& set) { return set.size() < 2; });
  std::vector<ConcurrentSet> some;
  for (std::size_t i = 0; i < std::min(kProbedSets, sets.size()); ++i) {
    some.push_back(sets[i * sets.size() / std::min(kProbedSets, sets.size())]);
  }
  std::ranges::move(shuffled_sets(placements), std::back_inserter(some));
  return some;
}

}  // namespace

bool do_pairs_disturb(Transport& transport, const RankPlacements& placements) {
  const auto is_disturbed = [&](const ConcurrentSet& set) {
    std::array<std::int32_t, 1> disturbed{is_disturbed_in(transport, set) ? 1 : 0};
    agree_on_largest(transport, disturbed);
    return disturbed[0] != 0;
  };
  const std::vector<ConcurrentSet> sets = probed_sets(placements);
  // Twice: chance disturbs some pair of many.
  return std::any_of(sets.begin(), sets.end(),
                     [&](const ConcurrentSet& set) { return is_disturbed(set) && is_disturbed(set); });
}

}  // namespace postage
