#include "optimize/trees/exact.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace postage {
namespace {

using RankSet = std::uint32_t;

constexpr bool has(RankSet set, std::size_t rank) {
  return (set >> rank & 1U) != 0;
}
constexpr RankSet without(RankSet set, std::size_t rank) {
  return set & ~(RankSet{1} << rank);
}

/// The least seconds of every rank above every set of ranks: from those above smaller sets.
class SetTimes {
 public:
  /// Sets with the ranks of `never_below` are left out.
  SetTimes(const EdgeCosts& costs, RankSet never_below)
      : costs_(costs),
        ranks_(costs.ranks()),
        sets_(std::size_t{1} << ranks_),
        first_option_(ranks_ * sets_),
        last_option_(ranks_ * sets_),
        states_(ranks_ * sets_) {
    for (RankSet set = 1; set < sets_; ++set) {
      if ((set & never_below) == 0) {
        serve(set);
      }
    }
  }

  void write_parents(std::size_t rank, RankSet set, std::vector<Rank>& parents) const {
    while (set != 0) {
      const State& state = states_[at(rank, set)];
      parents[state.child] = static_cast<Rank>(rank);
      write_parents(state.child, without(state.below, state.child), parents);
      set &= ~state.below;
    }
  }

 private:
  /// A rank's message to a child that takes care of a set, and when the last of the set is served.
  struct Option {
    Seconds busy = 0;
    Seconds end = 0;
    std::uint32_t child = 0;
  };

  /// What a rank serves first, of a set.
  struct State {
    Seconds seconds = std::numeric_limits<Seconds>::infinity();
    std::uint32_t child = 0;
    RankSet below = 0;
  };

  [[nodiscard]] std::size_t at(std::size_t rank, RankSet set) const { return set * ranks_ + rank; }

  [[nodiscard]] Bytes message_to(RankSet set) const {
    Bytes bytes = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      bytes += has(set, rank) ? costs_.block(static_cast<Rank>(rank)) : 0;
    }
    return costs_.message(bytes);
  }

  void serve(RankSet set) {
    const Bytes message = message_to(set);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      if (!has(set, rank)) {
        first_option_[at(rank, set)] = options_.size();
        add_options(rank, set, message);
        last_option_[at(rank, set)] = options_.size();
        solve(rank, set);
      }
    }
  }

  /// Every child of the set that is not both later and busier than another.
  void add_options(std::size_t rank, RankSet set, Bytes message) {
    drawn_.clear();
    for (std::size_t child = 0; child < ranks_; ++child) {
      if (has(set, child)) {
        const EdgeCost cost = costs_.of(static_cast<Rank>(rank), static_cast<Rank>(child), message);
        drawn_.push_back(
            {cost.busy, cost.total() + seconds_below(child, without(set, child)), static_cast<std::uint32_t>(child)});
      }
    }
    std::ranges::sort(drawn_, {}, [](const Option& one) { return std::pair(one.busy, one.end); });
    Seconds least = std::numeric_limits<Seconds>::infinity();
    for (const Option& one : drawn_) {
      if (one.end < least) {
        least = one.end;
        options_.push_back(one);
      }
    }
  }

  [[nodiscard]] Seconds seconds_below(std::size_t rank, RankSet set) const {
    return set == 0 ? 0 : states_[at(rank, set)].seconds;
  }

  void solve(std::size_t rank, RankSet set) {
    State& best = states_[at(rank, set)];
    for (RankSet below = set; below != 0; below = (below - 1) & set) {
      // Where none is left the last message's gap delays nobody: its end may come before it.
      const Seconds others =
          below == set ? -std::numeric_limits<Seconds>::infinity() : states_[at(rank, set & ~below)].seconds;
      for (std::size_t i = first_option_[at(rank, below)]; i < last_option_[at(rank, below)]; ++i) {
        const Seconds seconds = std::max(options_[i].end, options_[i].busy + others);
        if (seconds < best.seconds) {
          best = {seconds, options_[i].child, below};
        }
      }
    }
  }

  const EdgeCosts& costs_;
  std::size_t ranks_;
  std::size_t sets_;
  std::vector<std::size_t> first_option_;
  std::vector<std::size_t> last_option_;
  std::vector<Option> options_;
  std::vector<Option> drawn_;
  std::vector<State> states_;
};

}  // namespace

std::vector<std::vector<Rank>> exact_trees(const std::vector<Rank>& roots, const EdgeCosts& costs) {
  const auto all = (RankSet{1} << costs.ranks()) - 1;
  const auto below = [&](Rank root) { return without(all, static_cast<std::size_t>(root)); };
  const SetTimes times(costs, roots.size() == 1 ? all & ~below(roots.front()) : 0);
  std::vector<std::vector<Rank>> trees;
  for (const Rank root : roots) {
    trees.emplace_back(costs.ranks(), -1);
    times.write_parents(static_cast<std::size_t>(root), below(root), trees.back());
  }
  return trees;
}

}  // namespace postage
