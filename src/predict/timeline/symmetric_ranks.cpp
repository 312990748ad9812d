#include "predict/timeline/clocks.hpp"
#include "predict/timeline/representatives.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace postage {
namespace {

/// Moves of the clocks that differ by less than this share are the same: rounding.
constexpr double kSameMove = 1e-12;

/// The pattern in whose place pattern p stands where ranks are taken for one another: the halves of a butterfly are two
/// patterns, in one of which a rank sends and in the other of which it receives.
std::size_t stands_for(const std::vector<Pattern>& patterns, std::size_t p) {
  const auto* half = std::get_if<TiledPairs>(&patterns[p].pairs);
  for (std::size_t other = 0; half != nullptr && other < p; ++other) {
    const auto* tiled = std::get_if<TiledPairs>(&patterns[other].pairs);
    if (tiled != nullptr && tiled->width == half->width) {
      return other;
    }
  }
  return p;
}

/// A message of the round being followed, as the rank that stands for its source sends it.
struct Sent {
  Seconds arrival = 0;
  TransferCost cost{};
};

class SymmetricTimeline {
 public:
  SymmetricTimeline(const Schedule& schedule, const ChannelMap& channels, const Model& model, const RankKinds& kinds,
                    Index most_work)
      : schedule_(schedule),
        costs_(channels, model),
        kinds_(kinds),
        most_work_(most_work),
        clocks_(static_cast<std::size_t>(kinds.count())) {}

  std::optional<Seconds> run() {
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      const Stage& stage = schedule_.stages[s];
      const bool pipelines = stage.segment_order == SegmentOrder::kPipeline;
      for (Index outer = 0; outer < (pipelines ? stage.segments : 1); ++outer) {
        if (!run_iterations(s, outer, pipelines ? 1 : stage.segments)) {
          return std::nullopt;
        }
      }
    }
    Seconds last = 0;
    for (const RankClocks& rank : clocks_) {
      last = std::max(last, rank.processor);
    }
    return last;
  }

 private:
  bool run_iterations(std::size_t s, Index outer, Index inner) {
    const Stage& stage = schedule_.stages[s];
    const bool repeats = repeats_itself(stage);
    std::deque<std::vector<RankClocks>> before;
    for (Index t = 0; t < stage.iterations; ++t) {
      for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
        for (Index segment = 0; segment < inner; ++segment) {
          if (!follow_round({s, t, outer + segment, r})) {
            return false;
          }
        }
      }
      if (repeats) {
        t = skip_ahead(before, t, stage.iterations);
      }
    }
    return true;
  }

  /// Every iteration does the same.
  static bool repeats_itself(const Stage& stage) {
    return std::all_of(stage.rounds.begin(), stage.rounds.end(), [](const Round& round) {
      return std::all_of(round.patterns.begin(), round.patterns.end(), [](const Pattern& pattern) {
        const auto* affine = std::get_if<AffinePairs>(&pattern.pairs);
        return affine != nullptr && affine->source_step == 0 && affine->target_step == 0;
      });
    });
  }

  /// After iteration t. Returns the last iteration that need not be followed any more. A disturbance goes round the
  /// kinds of ranks in as many iterations as there are kinds.
  Index skip_ahead(std::deque<std::vector<RankClocks>>& before, Index t, Index iterations) {
    const auto lag = static_cast<std::size_t>(kinds_.count());
    before.push_back(clocks_);
    if (before.size() > lag + 1) {
      before.pop_front();
    }
    const Index repeats = (iterations - 1 - t) / static_cast<Index>(lag);
    if (before.size() <= lag || repeats == 0) {
      return t;
    }
    const Seconds move = clocks_.front().processor - before.front().front().processor;
    if (!moved_by(before.front(), move)) {
      return t;
    }
    for (RankClocks& rank : clocks_) {
      for (Seconds* clock : {&rank.processor, &rank.send_port, &rank.receive_port}) {
        *clock += static_cast<double>(repeats) * move;
      }
    }
    before.clear();
    return t + repeats * static_cast<Index>(lag);
  }

  [[nodiscard]] bool moved_by(const std::vector<RankClocks>& before, Seconds move) const {
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
      const auto moves = [&](Seconds RankClocks::*clock) {
        return std::abs(clocks_[i].*clock - before[i].*clock - move) <= kSameMove * std::abs(clocks_[i].*clock);
      };
      if (!moves(&RankClocks::processor) || !moves(&RankClocks::send_port) || !moves(&RankClocks::receive_port)) {
        return false;
      }
    }
    return true;
  }

  bool follow_round(const RoundPosition& position) {
    work_ += kinds_.count();
    if (work_ > most_work_) {
      return false;
    }
    const std::vector<Pattern>& patterns = schedule_.stages[position.stage].rounds[position.round].patterns;
    sent_.assign(patterns.size() * clocks_.size(), {});
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      for (Rank kind = 0; kind < kinds_.count(); ++kind) {
        send(position, patterns[p], kind,
             sent_[stands_for(patterns, p) * clocks_.size() + static_cast<std::size_t>(kind)]);
      }
    }
    for (Rank kind = 0; kind < kinds_.count(); ++kind) {
      receive(position, patterns, kind);
    }
    return true;
  }

  void send(const RoundPosition& position, const Pattern& pattern, Rank rank, std::vector<Sent>& sent) {
    const auto v = virtual_of(pattern.numbering, rank);
    if (!v) {
      return;
    }
    const PairIndices own = pairs_from(pattern.pairs, *v, position.iteration);
    work_ += own.count;
    for (Index k = 0; k < own.count; ++k) {
      const Transfer transfer = transfer_at(schedule_, position, pattern, own.at(k));
      if (transfer.target == rank) {
        sent.push_back({});
        continue;
      }
      const TransferCost& cost =
          costs_.of(rank, transfer.target, costs_.channel_of(rank, transfer.target), transfer.bytes, pattern.combine);
      const Seconds begin = start_message(clocks_[static_cast<std::size_t>(rank)], cost);
      sent.push_back({begin + cost.sender_busy + cost.wire, cost});
    }
  }

  void receive(const RoundPosition& position, const std::vector<Pattern>& patterns, Rank rank) {
    arriving_.clear();
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      const auto v = virtual_of(patterns[p].numbering, rank);
      const PairIndices own = v ? pairs_to(patterns[p].pairs, *v, position.iteration) : PairIndices{};
      for (Index k = 0; k < own.count; ++k) {
        const Pair pair = pair_at(patterns[p].pairs, own.at(k), position.iteration);
        if (pair.source != pair.target) {
          const auto source = static_cast<Rank>(rank_of(patterns[p].numbering, pair.source));
          const PairIndices sources = pairs_from(patterns[p].pairs, pair.source, position.iteration);
          const Index number = (own.at(k) - sources.first) / sources.stride;
          arriving_.push_back(
              sent_[stands_for(patterns, p) * clocks_.size() + kinds_.of(source)][static_cast<std::size_t>(number)]);
        }
      }
    }
    std::stable_sort(arriving_.begin(), arriving_.end(),
                     [](const Sent& a, const Sent& b) { return a.arrival < b.arrival; });
    for (const Sent& message : arriving_) {
      take_in(clocks_[static_cast<std::size_t>(rank)], message.arrival, message.cost);
    }
  }

  const Schedule& schedule_;
  TransferCosts costs_;
  RankKinds kinds_;
  Index most_work_;
  Index work_ = 0;
  std::vector<RankClocks> clocks_;  ///< of the first node's ranks, which stand for those on their slots
  std::vector<std::vector<Sent>> sent_;
  std::vector<Sent> arriving_;
};

}  // namespace

std::optional<Seconds> symmetric_seconds(const Schedule& schedule, const RankKinds& kinds, const ChannelMap& channels,
                                         const Model& model, Index most_work) {
  return SymmetricTimeline(schedule, channels, model, kinds, most_work).run();
}

}  // namespace postage
