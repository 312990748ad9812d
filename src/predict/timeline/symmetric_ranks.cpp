#include "predict/timeline/critical_path.hpp"
#include "predict/timeline/event_timeline.hpp"
#include "predict/timeline/fans.hpp"
#include "predict/timeline/kind_messages.hpp"
#include "predict/timeline/port_order.hpp"
#include "predict/timeline/representatives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

namespace postage {
namespace {

/// Moves of the clocks that differ by less than this share are the same: rounding.
constexpr double kSameMove = 1e-12;

/// What became of following one rank of each kind round after round.
enum class Outcome { kDone, kOvertaken, kTooMuchWork };

/// A message of the round being followed.
struct Sent {
  Seconds arrival = 0;
  TransferCost cost{};
  Bytes bytes = 0;
  Rank source = 0;  ///< a kind
};

class SymmetricTimeline {
 public:
  SymmetricTimeline(const Schedule& schedule, const ChannelMap& channels, const Model& model, const RankKinds& kinds,
                    Index most_work)
      : schedule_(schedule),
        costs_(channels, model),
        limits_(model.fan_limits()),
        kinds_(kinds),
        messages_(schedule, kinds, costs_),
        most_work_(most_work),
        ranks_(static_cast<std::size_t>(kinds.count())) {}

  std::optional<Seconds> run() {
    switch (run_in_order()) {
      case Outcome::kDone:
        return last_of(finish_times());
      case Outcome::kOvertaken:
        return run_by_events();
      case Outcome::kTooMuchWork:
        break;
    }
    return std::nullopt;
  }

 private:
  static Seconds last_of(const std::vector<Seconds>& finish) { return *std::max_element(finish.begin(), finish.end()); }

  [[nodiscard]] std::vector<Seconds> finish_times() const {
    std::vector<Seconds> finish;
    for (const OrderedRank& rank : ranks_) {
      finish.push_back(rank.clocks.processor);
    }
    return finish;
  }

  Outcome run_in_order() {
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      const Stage& stage = schedule_.stages[s];
      const Index outer = pipelined_segments(stage);
      for (Index segment = 0; segment < outer; ++segment) {
        run_iterations(s, segment, stage.segments / outer);
        if (outcome_ != Outcome::kDone) {
          return outcome_;
        }
      }
    }
    return outcome_;
  }

  std::optional<Seconds> run_by_events() {
    work_ = 0;
    MessageList list(kinds_.count());
    for_each_followed_round(schedule_, all_segments(schedule_), [&](const RoundPosition& position) {
      if (work_ <= most_work_) {
        list_round(position, list);
      }
    });
    NoTracer nobody;
    return work_ <= most_work_ ? std::optional(last_of(EventTimeline<NoTracer>(list, limits_, false, nobody).run()))
                               : std::nullopt;
  }

  void list_round(const RoundPosition& position, MessageList& list) {
    load(position);
    list.begin_round(position);
    for (const KindMessage& m : messages_.messages()) {
      if (!m.to_itself) {
        list.add({.bytes = m.bytes, .source = m.source, .target = m.target, .channel = m.channel}, cost_of(m));
      }
    }
  }

  void load(const RoundPosition& position) {
    messages_.load(position);
    work_ += kinds_.count() + static_cast<Index>(messages_.messages().size());
  }

  void run_iterations(std::size_t s, Index outer, Index inner) {
    const Stage& stage = schedule_.stages[s];
    const bool repeats = repeats_itself(stage);
    std::deque<std::vector<OrderedRank>> before;
    for (Index t = 0; t < stage.iterations; ++t) {
      for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
        for (Index segment = 0; segment < inner; ++segment) {
          follow_round({s, t, outer + segment, r});
          if (outcome_ != Outcome::kDone) {
            return;
          }
        }
      }
      if (repeats) {
        t = skip_ahead(before, t, stage.iterations);
      }
    }
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
  Index skip_ahead(std::deque<std::vector<OrderedRank>>& before, Index t, Index iterations) {
    const auto lag = static_cast<std::size_t>(kinds_.count());
    before.push_back(ranks_);
    if (before.size() > lag + 1) {
      before.pop_front();
    }
    const Index repeats = (iterations - 1 - t) / static_cast<Index>(lag);
    if (before.size() <= lag || repeats == 0) {
      return t;
    }
    const Seconds move = ranks_.front().clocks.processor - before.front().front().clocks.processor;
    if (!moved_by(before.front(), move)) {
      return t;
    }
    for (OrderedRank& rank : ranks_) {
      for (Seconds* moment : moments_of(rank)) {
        *moment += static_cast<double>(repeats) * move;
      }
    }
    before.clear();
    return t + repeats * static_cast<Index>(lag);
  }

  static std::array<Seconds*, 4> moments_of(OrderedRank& rank) {
    return {&rank.clocks.processor, &rank.clocks.send_port, &rank.clocks.receive_port, &rank.latest_arrival};
  }

  [[nodiscard]] bool moved_by(std::vector<OrderedRank> before, Seconds move) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const auto now = moments_of(ranks_[i]);
      const auto then = moments_of(before[i]);
      for (std::size_t k = 0; k < now.size(); ++k) {
        if (!(*now[k] == *then[k] + move) && !(std::abs(*now[k] - *then[k] - move) <= kSameMove * std::abs(*now[k]))) {
          return false;
        }
      }
    }
    return true;
  }

  void follow_round(const RoundPosition& position) {
    load(position);
    if (work_ > most_work_) {
      outcome_ = Outcome::kTooMuchWork;
      return;
    }
    sent_.clear();
    fans_.assign(ranks_.size(), {});
    for (const KindMessage& message : messages_.messages()) {
      sent_.push_back(send(message));
    }
    if (limits_ != nullptr) {
      release();
    }
    for (Rank kind = 0; kind < kinds_.count(); ++kind) {
      receive(kind);
    }
    for (const auto& [kind, when] : waiting_) {
      wait_until(ranks_[static_cast<std::size_t>(kind)].clocks, when);
    }
    waiting_.clear();
  }

  [[nodiscard]] const TransferCost& cost_of(const KindMessage& message) {
    return costs_.of(message.source, message.target, message.channel, message.bytes, message.form);
  }

  Sent send(const KindMessage& message) {
    if (message.to_itself) {
      return {};
    }
    const TransferCost& cost = cost_of(message);
    const auto source = static_cast<std::size_t>(message.source);
    if (limits_ != nullptr) {
      fans_[source].prepare(ranks_[source].clocks);
    }
    const Seconds begin = start_message(ranks_[source].clocks, cost);
    if (limits_ != nullptr) {
      fans_[source].started(begin, cost, limits_->serialises_fan_out(message.bytes), 0);
    }
    return {begin + cost.sender_busy + cost.wire, cost, message.bytes, message.source};
  }

  /// The small messages of a fan-out are transmitted together.
  void release() {
    for (std::size_t place = 0; place < sent_.size(); ++place) {
      const auto source = static_cast<std::size_t>(messages_.messages()[place].source);
      if (fans_[source].is_fan() && !limits_->serialises_fan_out(sent_[place].bytes)) {
        sent_[place].arrival = fans_[source].released(ranks_[source].clocks) + sent_[place].cost.wire;
      }
    }
    for (std::size_t kind = 0; kind < ranks_.size(); ++kind) {
      fans_[kind].close(ranks_[kind].clocks);
    }
  }

  void receive(Rank kind) {
    arriving_.clear();
    for (const std::size_t place : messages_.received_by(kind)) {
      arriving_.push_back(sent_[place]);
    }
    sort_by_arrival(arriving_, [](const Sent& message) { return message.arrival; });
    OrderedRank& rank = ranks_[static_cast<std::size_t>(kind)];
    if (limits_ != nullptr && arriving_.size() > 1) {
      take_in_fan(rank.clocks, *limits_, std::span<const Sent>(arriving_));
      return;
    }
    for (const Sent& message : arriving_) {
      if (!receive_in_order(rank, message.arrival, message.cost, costs_.has_gaps())) {
        outcome_ = Outcome::kOvertaken;
      }
      if (message.cost.source_waits) {
        waiting_.emplace_back(message.source, acknowledged_at(rank.clocks, message.cost));
      }
    }
  }

  const Schedule& schedule_;
  TransferCosts costs_;
  const FanLimits* limits_;
  RankKinds kinds_;
  KindMessages messages_;
  Index most_work_;
  Index work_ = 0;
  Outcome outcome_ = Outcome::kDone;
  std::vector<OrderedRank> ranks_;  ///< the first node's, which stand for those on their slots
  std::vector<FanOut> fans_;
  std::vector<Sent> sent_;
  std::vector<Sent> arriving_;
  std::vector<std::pair<Rank, Seconds>> waiting_;  ///< kinds of sources, for their acknowledgements
};

}  // namespace

std::optional<Seconds> symmetric_seconds(const Schedule& schedule, const RankKinds& kinds, const ChannelMap& channels,
                                         const Model& model, Index most_work) {
  return SymmetricTimeline(schedule, channels, model, kinds, most_work).run();
}

}  // namespace postage
