#include <postage/optimize/mapping/placement.hpp>

#include <algorithm>
#include <numeric>
#include <random>

namespace postage {
namespace {

/// Less is rounding.
constexpr double kLeastImprovement = 1e-9;
/// Ranks of a partner's node that are tried for each partner.
constexpr std::size_t kTriedOnANode = 4;
/// Sweeps over all ranks without a swap that helps, of which each tries other ranks.
constexpr int kIdleSweeps = 2;

class Search {
 public:
  Search(PlacementCost& cost, const Communication& communication, const Mapping& slots, const SearchLimits& limits)
      : cost_(cost),
        slots_(slots),
        left_(limits.swaps),
        last_charge_(cost.charged() + limits.charges),
        random_(limits.seed) {
    const std::size_t ranks = cost.slot_of_rank().size();
    partners_.resize(ranks);
    for (const MessagePhase& phase : communication.phases) {
      for (const StartedMessage& message : phase.messages) {
        partners_[static_cast<std::size_t>(message.source)].push_back(message.target);
        partners_[static_cast<std::size_t>(message.target)].push_back(message.source);
      }
    }
    for (std::vector<Rank>& own : partners_) {
      std::ranges::sort(own);
      own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    rank_of_slot_.resize(ranks);
    for (std::size_t slot = 0; slot < ranks; ++slot) {
      const auto node = static_cast<std::size_t>(slots.placement_of(static_cast<Rank>(slot)).node);
      slots_of_node_.resize(std::max(slots_of_node_.size(), node + 1));
      slots_of_node_[node].push_back(static_cast<Rank>(slot));
    }
    update();
  }

  /// Swaps tried.
  std::int64_t run(std::int64_t limit) {
    std::vector<Rank> order(partners_.size());
    std::iota(order.begin(), order.end(), 0);
    for (int idle = 0; idle < kIdleSweeps && may_go_on(); ++idle) {
      shuffle(order);
      for (const Rank rank : order) {
        idle = improve(rank) ? -1 : idle;
        idle = may_go_on() && improve(one_on_the_slowest_node()) ? -1 : idle;
        if (!may_go_on()) {
          break;
        }
      }
    }
    return limit - left_;
  }

 private:
  [[nodiscard]] bool may_go_on() const { return left_ > 0 && cost_.charged() < last_charge_; }

  /// std::shuffle is not the same everywhere.
  void shuffle(std::vector<Rank>& order) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random_() % i]);
    }
  }

  /// What holds a phase up is shared by the ranks of a node: any of them may go.
  Rank one_on_the_slowest_node() {
    const Rank slowest = std::max(cost_.slowest_rank(), Rank{0});
    const std::vector<Rank>& slots = slots_of_node_[node_of(slowest)];
    return rank_of_slot_[static_cast<std::size_t>(slots[random_() % slots.size()])];
  }

  void update() {
    for (std::size_t rank = 0; rank < rank_of_slot_.size(); ++rank) {
      rank_of_slot_[static_cast<std::size_t>(cost_.slot_of_rank()[rank])] = static_cast<Rank>(rank);
    }
    seconds_ = cost_.seconds();
    mean_ = cost_.mean_seconds();
  }

  [[nodiscard]] std::size_t node_of(Rank rank) const {
    return static_cast<std::size_t>(slots_.placement_of(cost_.slot_of_rank()[static_cast<std::size_t>(rank)]).node);
  }

  bool improve(Rank rank) {
    const std::vector<Rank>& own = partners_[static_cast<std::size_t>(rank)];
    for (const Rank partner : own) {
      const std::size_t node = node_of(partner);
      const std::vector<Rank>& slots = slots_of_node_[node];
      if (node == node_of(rank) && slots.size() > 1 && slots_of_node_.size() > 1) {
        continue;
      }
      const std::size_t start = random_() % slots.size();
      for (std::size_t i = 0; i < std::min(slots.size(), kTriedOnANode) && left_ > 0; ++i) {
        const Rank other = rank_of_slot_[static_cast<std::size_t>(slots[(start + i) % slots.size()])];
        if (other != partner && try_swap(rank, other)) {
          return true;
        }
      }
    }
    const auto any = static_cast<Rank>(random_() % partners_.size());
    return !own.empty() && left_ > 0 && try_swap(rank, any);
  }

  bool try_swap(Rank a, Rank b) {
    if (a == b) {
      return false;
    }
    --left_;
    cost_.swap(a, b);
    const Seconds seconds = cost_.seconds();
    const Seconds mean = cost_.mean_seconds();
    const bool is_shorter = seconds < seconds_ * (1 - kLeastImprovement);
    const bool is_as_long = seconds < seconds_ * (1 + kLeastImprovement);
    if (is_shorter || (is_as_long && mean < mean_ * (1 - kLeastImprovement))) {
      std::swap(rank_of_slot_[static_cast<std::size_t>(cost_.slot_of_rank()[static_cast<std::size_t>(a)])],
                rank_of_slot_[static_cast<std::size_t>(cost_.slot_of_rank()[static_cast<std::size_t>(b)])]);
      seconds_ = seconds;
      mean_ = mean;
      return true;
    }
    cost_.swap(a, b);
    return false;
  }

  PlacementCost& cost_;
  const Mapping& slots_;
  std::int64_t left_;
  std::int64_t last_charge_;
  std::mt19937_64 random_;
  std::vector<std::vector<Rank>> partners_{};
  std::vector<Rank> rank_of_slot_{};
  std::vector<std::vector<Rank>> slots_of_node_{};
  Seconds seconds_ = 0;
  Seconds mean_ = 0;
};

}  // namespace

std::int64_t search_placement(PlacementCost& cost, const Communication& communication, const Mapping& slots,
                              const SearchLimits& limits) {
  return Search(cost, communication, slots, limits).run(limits.swaps);
}

}  // namespace postage
