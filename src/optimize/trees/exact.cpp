#include "optimize/trees/exact.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace postage {
namespace {

using RankSet = std::uint32_t;

class SetTimes {
 public:
  explicit SetTimes(const EdgeCosts& costs)
      : costs_(costs),
        ranks_(costs.ranks()),
        sets_(std::size_t{1} << ranks_),
        edges_(ranks_ * ranks_ * sets_),
        states_(ranks_ * sets_) {
    set_edges();
    for (RankSet set = 1; set < sets_; ++set) {
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        if ((set >> rank & 1U) == 0) {
          solve(rank, set);
        }
      }
    }
  }

  void write_parents(std::size_t rank, RankSet set, std::vector<Rank>& parents) const {
    while (set != 0) {
      const State& state = states_[rank * sets_ + set];
      parents[state.child] = static_cast<Rank>(rank);
      write_parents(state.child, state.below & ~(1U << state.child), parents);
      set &= ~state.below;
    }
  }

 private:
  struct State {
    Seconds seconds = 0;
    std::size_t child = 0;
    RankSet below = 0;
  };

  [[nodiscard]] EdgeCost& edge(std::size_t parent, std::size_t child, RankSet set) {
    return edges_[(parent * ranks_ + child) * sets_ + set];
  }

  void set_edges() {
    for (RankSet set = 1; set < sets_; ++set) {
      Bytes bytes = 0;
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        bytes += (set >> rank & 1U) != 0 ? costs_.block(static_cast<Rank>(rank)) : 0;
      }
      for (std::size_t child = 0; child < ranks_; ++child) {
        for (std::size_t parent = 0; parent < ranks_; ++parent) {
          if ((set >> child & 1U) != 0 && (set >> parent & 1U) == 0) {
            edge(parent, child, set) =
                costs_.of(static_cast<Rank>(parent), static_cast<Rank>(child), costs_.message(bytes));
          }
        }
      }
    }
  }

  void solve(std::size_t rank, RankSet set) {
    State& best = states_[rank * sets_ + set];
    best.seconds = std::numeric_limits<Seconds>::infinity();
    for (RankSet below = set; below != 0; below = (below - 1) & set) {
      // Where none is left the last message's gap delays nobody: its rest may be negative.
      const bool is_last = below == set;
      const Seconds others =
          is_last ? -std::numeric_limits<Seconds>::infinity() : states_[rank * sets_ + (set & ~below)].seconds;
      for (std::size_t child = 0; child < ranks_; ++child) {
        if ((below >> child & 1U) != 0) {
          const EdgeCost& cost = edge(rank, child, below);
          const Seconds under = cost.rest + states_[child * sets_ + (below & ~(1U << child))].seconds;
          const Seconds seconds = cost.busy + std::max(under, others);
          if (seconds < best.seconds) {
            best = {seconds, child, below};
          }
        }
      }
    }
  }

  const EdgeCosts& costs_;
  std::size_t ranks_;
  std::size_t sets_;
  std::vector<EdgeCost> edges_;
  std::vector<State> states_;
};

}  // namespace

std::vector<Rank> exact_tree(Rank root, const EdgeCosts& costs) {
  std::vector<Rank> parents(costs.ranks(), -1);
  const auto all = (RankSet{1} << costs.ranks()) - 1;
  SetTimes(costs).write_parents(static_cast<std::size_t>(root), all & ~(RankSet{1} << root), parents);
  return parents;
}

}  // namespace postage
