#include "predict/rounds/bursts.hpp"
#include "predict/rounds/charges.hpp"
#include "predict/rounds/get_work.hpp"
#include "predict/rounds/iteration_keys.hpp"
#include "predict/rounds/node_load.hpp"
#include "predict/rounds/rank_work.hpp"
#include "predict/rounds/visits.hpp"

#include <postage/predict/rounds/rounds.hpp>

#include <array>
#include <map>
#include <span>
#include <utility>

namespace postage {
namespace {

/// Ranks looked at together.
constexpr std::size_t kTogether = 512;

/// One schedule on one model.
class RoundSummation {
 public:
  /// Visits what coverage_of says, or all.
  RoundSummation(const Schedule& schedule, const ChannelMap& channels, const Model& model, bool visit_all)
      : schedule_(schedule),
        channels_(channels),
        charges_(model),
        nodes_(channels, schedule.ranks),
        measured_(channels, schedule.ranks),
        coverage_(visit_all ? Coverage::kAll : coverage_of(schedule, channels, model, nodes_, measured_)),
        repeats_(!visit_all && coverage_ != Coverage::kKinds),
        visits_(schedule, model, nodes_, measured_, coverage_),
        contention_(feels_contention(model)),
        by_ranks_(depends_on_ranks(model)),
        bundling_(by_ranks_ ? Bundling::kNone : Bundling::kByChannel),
        in_step_(moves_in_step(model)),
        exchange_(model.properties().feels_exchange),
        fan_limits_(model.fan_limits()),
        gets_(model.properties().gets_data),
        shares_(model.properties().has_flows) {}

  RoundTimes run() {
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      run_stage(s);
    }
    return std::move(times_);
  }

 private:
  void run_stage(std::size_t s) {
    const Stage& stage = schedule_.stages[s];
    const bool within = stage.segment_order == SegmentOrder::kWithinRound;
    const std::vector<IterationClass> classes = visits_.iterations(stage);
    const IterationKeys keys(schedule_, s, channels_);
    std::map<IterationKeys::Key, RoundRange> known;
    for (const IterationClass& alike : classes) {
      const auto key = repeats_ && classes.size() > 1 ? keys.of(alike.representative) : std::nullopt;
      const auto found = key ? known.find(*key) : known.end();
      if (found != known.end()) {
        repeat(found->second, alike.representative);
        continue;
      }
      const std::size_t first = times_.rounds.size();
      for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
        add_round({s, alike.representative, 0, r}, alike.count, within ? stage.segments : 1);
      }
      if (key) {
        known.emplace(*key, RoundRange{first, times_.rounds.size()});
      }
    }
    if (!within && stage.segments > 1) {
      add_pipeline(s, classes);
    }
  }

  /// Of times_.rounds: [first, end).
  struct RoundRange {
    std::size_t first = 0;
    std::size_t end = 0;
  };

  /// Adds the rounds of an iteration that take as long as those of an earlier one.
  void repeat(const RoundRange& rounds, Index iteration) {
    for (std::size_t i = rounds.first; i < rounds.end; ++i) {
      RoundCost cost = times_.rounds[i];
      cost.position.iteration = iteration;
      add(cost);
    }
  }

  void add(const RoundCost& cost) {
    times_.seconds += static_cast<double>(cost.times) * cost.seconds;
    times_.rounds.push_back(cost);
  }

  void add_round(const RoundPosition& position, Index times, Index segments) {
    const Round& round = schedule_.stages[position.stage].rounds[position.round];
    const RoundLoads loads(schedule_, position, nodes_, channels_, gets_ || shares_);
    VirtualRanks virtuals(round, position.iteration);
    last_ = {};
    RoundCost cost{.position = position, .times = times};
    Steps slowest_steps;
    for_each_chunk(visits_.ranks(position, loads.are_alike()), [&](std::span<const Rank> ranks) {
      virtuals.take(ranks);
      for (std::size_t i = 0; i < round.patterns.size(); ++i) {
        if (virtuals.is_active(i)) {
          collect(position, i, ranks, virtuals, loads, segments, cost.slowest);
        }
      }
      close_fans();
      for (const RankWork& work : works_) {
        cost.seconds = std::max(cost.seconds, work.total());
        slowest_steps.at_least(work.sent);
        slowest_steps.at_least(work.received);
      }
      for (const GetWork& work : get_works_) {
        cost.seconds = std::max(cost.seconds, work.total());
      }
    });
    cost.seconds = in_step_ ? slowest_steps.total() : cost.seconds;
    if (cost.seconds > 0) {
      add(cost);
    }
  }

  /// All ranks that are not measured, on other nodes than its own, are alike to a rank.
  [[nodiscard]] bool has_runs(const RoundLoads& loads) const {
    return coverage_ == Coverage::kMeasuredAndKinds && !exchange_ && (!contention_ || loads.are_alike());
  }

  /// Adds what ranks send and receive of one pattern to their works_.
  void collect(const RoundPosition& position, std::size_t number, std::span<const Rank> ranks,
               const VirtualRanks& virtuals, const RoundLoads& loads, Index segments, SharedTransfer& slowest) {
    const Pattern& pattern = schedule_.stages[position.stage].rounds[position.round].patterns[number];
    const Bursts bursts(schedule_, position);
    const std::vector<Rank>* apart = has_runs(loads) ? &measured_.ranks() : nullptr;
    with_formula(pattern, [&](const auto& pairs) {
      PatternMessages messages(schedule_, position, pattern, pairs, pattern.numbering, nodes_, channels_, bundling_,
                               apart);
      virtuals.for_each_within(number, formula::reach_of(pairs, position.iteration), [&](std::size_t k, Index v) {
        messages.for_each(ranks[k], v, [&](const Bundle& bundle) {
          gets_ ? add_get(bundle, bursts, loads, segments, get_works_[k], slowest)
                : add(bundle, loads, 0, segments, k, slowest, shares_);
        });
      });
    });
  }

  void add_get(const Bundle& bundle, const Bursts& bursts, const RoundLoads& loads, Index times, GetWork& work,
               SharedTransfer& slowest) {
    const Repeated& last = charged(bundle, loads, slowest);
    const bool may_join = bundle.form.protocol != Protocol::kAcknowledged && last.shared.acknowledgement > 0;
    if (may_join && bursts.continue_for(bundle.source)) {
      work.share(last.shared.total() - last.alone);
      return;
    }
    if (!bundle.sent) {
      work.receive(bundle.channel, last.shared, bundle.count * times);
      return;
    }
    work.send(bundle.channel, last.shared, bundle.count * times);
    if (may_join && !work.has_later()) {
      bursts.for_each_later(bundle.source, [&](const Transfer& later) {
        work.send_later(channels_.channel_of(later.source, later.target), charges_.of_lone(later, channels_));
      });
    }
  }

  template <typename Loads>
  void add(const Bundle& bundle, const Loads& loads, Index round, Index times, std::size_t k, SharedTransfer& slowest,
           bool together = false) {
    const Repeated& last = charged(bundle, loads, slowest);
    const TransferCost& cost = together ? last.together : last.shared;
    RankWork& work = works_[k];
    if (fan_limits_ != nullptr) {
      fans_[k].add(round, bundle, cost, times, work);
    } else {
      const Index each = bundle.count * times;
      bundle.sent ? work.send(cost, each, bundle.repeats) : work.receive(cost, each, bundle.repeats);
    }
  }

  void close_fans() {
    for (std::size_t k = 0; k < fans_.size(); ++k) {
      fans_[k].close(works_[k]);
    }
  }

  template <typename Loads>
  const Repeated& charged(const Bundle& bundle, const Loads& loads, SharedTransfer& slowest) {
    Repeated& last = last_[bundle.sent ? 0 : 1];
    const bool receiver_sends = exchange_ && loads.sends(bundle.target);
    if (!repeats(bundle, last) || receiver_sends != last.receiver_sends) {
      const Charge& found = charge(bundle, receiver_sends, loads, slowest);
      last = {true, bundle, receiver_sends, found.shared, found.together, found.alone};
    }
    return last;
  }

  /// Neighbours mostly send to neighbours: what is charged with the same company costs the same.
  [[nodiscard]] bool repeats(const Bundle& bundle, const Repeated& last) const {
    return last.known && !by_ranks_ && bundle.bytes == last.bundle.bytes && bundle.channel == last.bundle.channel &&
           bundle.source_node == last.bundle.source_node && bundle.target_node == last.bundle.target_node &&
           bundle.form == last.bundle.form;
  }

  template <typename Loads>
  const Charge& charge(const Bundle& bundle, bool receiver_sends, const Loads& loads, SharedTransfer& slowest) {
    TransferQuestion question{.channel = bundle.channel, .bytes = bundle.bytes, .receiver_sends = receiver_sends};
    if (by_ranks_) {
      question.source = channels_.measured_rank(bundle.source);
      question.target = channels_.measured_rank(bundle.target);
    }
    if (contention_) {
      loads.share(bundle.source_node, bundle.target_node, question);
    }
    const Charge& charge = charges_.of(question, bundle.form);
    if (charge.shared.total() > slowest.seconds) {
      slowest = {bundle.channel, bundle.bytes, question.concurrency, charge.shared.total(), charge.alone};
    }
    return charge;
  }

  /// Every further segment costs what the busiest rank does for it.
  void add_pipeline(std::size_t s, const std::vector<IterationClass>& classes) {
    const StageLoads loads(schedule_, s, classes, nodes_, channels_);
    SegmentMessages messages(schedule_, s, classes, nodes_, channels_, bundling_);
    last_ = {};
    PipelineCost cost{.stage = s, .times = schedule_.stages[s].segments - 1};
    for_each_chunk(visits_.ranks_of_stage(s, classes), [&](std::span<const Rank> ranks) {
      SharedTransfer slowest;
      messages.for_each(ranks, [&](std::size_t k, Index round, const Bundle& bundle, Index times) {
        add(bundle, loads, round, times, k, slowest);
      });
      close_fans();
      for (const RankWork& work : works_) {
        cost.seconds = std::max(cost.seconds, work.period());
      }
    });
    times_.seconds += static_cast<double>(cost.times) * cost.seconds;
    times_.pipelines.push_back(cost);
  }

  /// Calls visit(ranks) for so few ranks at a time that their work, cleared before, stays near the processor.
  template <typename Visit>
  void for_each_chunk(std::span<const Rank> ranks, const Visit& visit) {
    for (std::size_t first = 0; first < ranks.size(); first += kTogether) {
      const std::span<const Rank> some = ranks.subspan(first, std::min(kTogether, ranks.size() - first));
      works_.assign(some.size(), {});
      if (fan_limits_ != nullptr) {
        fans_.assign(some.size(), FanWork(*fan_limits_));
      }
      get_works_.assign(gets_ ? some.size() : 0, {});
      visit(some);
    }
  }

  const Schedule& schedule_;
  const ChannelMap& channels_;
  Charges charges_;
  NodeRanks nodes_;
  MeasuredRanks measured_;
  Coverage coverage_;
  bool repeats_;  ///< iterations that take as long as an earlier one are not visited
  Visits visits_;
  bool contention_;
  bool by_ranks_;
  Bundling bundling_;
  bool in_step_;
  bool exchange_;
  const FanLimits* fan_limits_;
  bool gets_;
  bool shares_;  ///< messages of a round share rates
  std::vector<RankWork> works_;
  std::vector<FanWork> fans_;  ///< of the same ranks, for a model that has limits
  std::vector<GetWork> get_works_;
  std::array<Repeated, 2> last_;
  RoundTimes times_;
};

}  // namespace

RoundTimes sum_rounds(const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  return RoundSummation(schedule, channels, model, false).run();
}

RoundTimes sum_all_rounds(const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  return RoundSummation(schedule, channels, model, true).run();
}

}  // namespace postage
