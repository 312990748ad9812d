#include "schedule/check/block_state.hpp"

#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/check/dataflow.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// One run of blocks sent in a round; its words lie at `words` in the round's buffer.
struct Delivery {
  Index source = 0;
  Index target = 0;
  BlockRun run;
  Combine combine = Combine::kCopy;
  std::size_t words = 0;
};

/// Follows one schedule. `mistake_` is the first one found; nothing is done after it.
class DataflowCheck {
 public:
  DataflowCheck(const Schedule& schedule, bool ordered)
      : schedule_(schedule),
        state_(initial_state(schedule, ordered)),
        last_delivery_(static_cast<std::size_t>(schedule.ranks), kNone) {}

  std::optional<std::string> find_mistake() {
    for (std::size_t s = 0; s < schedule_.stages.size() && !mistake_; ++s) {
      // Segments are disjoint parts of every block and take the same path: to follow one of them is to follow all.
      const Stage& stage = schedule_.stages[s];
      for (Index t = 0; t < stage.iterations && !mistake_; ++t) {
        for (std::size_t r = 0; r < stage.rounds.size() && !mistake_; ++r) {
          position_ = {s, t, 0, r};
          follow_round(stage.rounds[r]);
        }
      }
    }
    return mistake_ ? mistake_ : state_->violated_postcondition();
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void fail(const std::string& what) {
    if (!mistake_) {
      mistake_ = fmt::format("stage '{}', iteration {}, round {}: {}", schedule_.stages[position_.stage].name,
                             position_.iteration, position_.round, what);
    }
  }

  void follow_round(const Round& round) {
    deliveries_.clear();
    words_.clear();
    for (const Pattern& pattern : round.patterns) {
      const Index count = pair_count(pattern, position_.iteration);
      for (Index i = 0; i < count && !mistake_; ++i) {
        send(pattern, pair_at(pattern.pairs, i, position_.iteration));
      }
    }
    if (schedule_.collective != Collective::kBarrier) {
      check_single_deliveries();
    }
    for (const Delivery& delivery : deliveries_) {
      if (mistake_) {
        return;
      }
      deliver(delivery);
    }
  }

  /// The rank, or -1 where the numbering has none in range for this virtual rank.
  [[nodiscard]] Index checked_rank(const Numbering& numbering, Index v) const {
    const auto* table = std::get_if<ExplicitNumbering>(&numbering);
    if (v < 0 || (table != nullptr && v >= static_cast<Index>(table->ranks->size()))) {
      return -1;
    }
    const Index rank = rank_of(numbering, v);
    return rank < schedule_.ranks ? rank : -1;
  }

  void send(const Pattern& pattern, Pair pair) {
    const Index source = checked_rank(pattern.numbering, pair.source);
    const Index target = checked_rank(pattern.numbering, pair.target);
    if (source < 0 || target < 0) {
      fail(fmt::format("virtual rank {} sends to {}, but not both of them are ranks of P = {}", pair.source,
                       pair.target, schedule_.ranks));
      return;
    }
    if (std::holds_alternative<Token>(pattern.blocks)) {
      if (schedule_.collective == Collective::kBarrier) {
        collect({source, target, {0, 1}, pattern.combine, words_.size()});
      }
      return;
    }
    for_each_run(pattern.blocks, {pair.source, pair.target, position_.iteration}, [&](BlockRun run) {
      if (check_run(source, target, run)) {
        collect({source, target, run, pattern.combine, words_.size()});
      }
    });
  }

  bool check_run(Index source, Index target, BlockRun run) {
    const Index blocks = schedule_.layout.blocks();
    if (run.first < 0 || run.count < 0 || run.first + run.count > blocks) {
      fail(fmt::format("rank {} sends blocks {} to {} to rank {}, but the blocks are 0 to {}", source, run.first,
                       run.first + run.count - 1, target, blocks - 1));
      return false;
    }
    const Index missing = state_->first_missing(source, run);
    if (missing >= 0) {
      fail(fmt::format("rank {} sends block {} to rank {}, but does not have it", source, missing, target));
    }
    return missing < 0;
  }

  void collect(const Delivery& delivery) {
    state_->read(delivery.source, delivery.run, words_);
    deliveries_.push_back(delivery);
  }

  /// Chains the deliveries of each target, so that only targets with several are looked at closely.
  void check_single_deliveries() {
    previous_.assign(deliveries_.size(), kNone);
    for (std::size_t i = 0; i < deliveries_.size(); ++i) {
      std::size_t& last = last_delivery_[static_cast<std::size_t>(deliveries_[i].target)];
      previous_[i] = last;
      last = i;
    }
    for (const Delivery& delivery : deliveries_) {
      std::size_t& last = last_delivery_[static_cast<std::size_t>(delivery.target)];
      if (last != kNone && previous_[last] != kNone) {
        check_target(delivery.target, last);
      }
      last = kNone;
    }
  }

  void check_target(Index target, std::size_t last) {
    std::vector<BlockRun> runs;
    for (std::size_t i = last; i != kNone; i = previous_[i]) {
      if (deliveries_[i].run.count > 0) {
        runs.push_back(deliveries_[i].run);
      }
    }
    std::sort(runs.begin(), runs.end(), [](BlockRun a, BlockRun b) { return a.first < b.first; });
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (runs[i].first < runs[i - 1].first + runs[i - 1].count) {
        fail(fmt::format("rank {} receives block {} twice", target, runs[i].first));
        return;
      }
    }
  }

  void deliver(const Delivery& delivery) {
    const std::span<const std::uint64_t> words(words_);
    if (const auto what =
            state_->deliver(delivery.target, delivery.run, delivery.combine, words.subspan(delivery.words))) {
      fail(fmt::format("rank {}, receiving from rank {}, {}", delivery.target, delivery.source, *what));
    }
  }

  const Schedule& schedule_;
  std::unique_ptr<BlockState> state_;
  RoundPosition position_;
  std::vector<Delivery> deliveries_;
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> last_delivery_;  ///< by target, kNone between rounds
  std::vector<std::size_t> previous_;       ///< by delivery: the one before it to the same target
  std::optional<std::string> mistake_;
};

std::optional<std::string> find_shape_mistake(const Schedule& schedule) {
  if (schedule.ranks < 1 || schedule.root < 0 || schedule.root >= schedule.ranks) {
    return fmt::format("root {} is not a rank of P = {}", schedule.root, schedule.ranks);
  }
  const Index blocks = schedule.layout.blocks();
  const Index wanted = defined_blocks(schedule.collective, schedule.ranks);
  if (wanted != 0 && blocks != wanted) {
    return fmt::format("{} among {} ranks has {} blocks, but the layout has {}", name_of(schedule.collective),
                       schedule.ranks, wanted, blocks);
  }
  if (schedule.collective != Collective::kBarrier && blocks < 1) {
    return fmt::format("{} needs at least 1 block, but the layout has none", name_of(schedule.collective));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_dataflow_mistake(const Schedule& schedule, bool ordered) {
  if (auto mistake = find_shape_mistake(schedule)) {
    return mistake;
  }
  return DataflowCheck(schedule, ordered).find_mistake();
}

}  // namespace postage
