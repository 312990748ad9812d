#include "predict/node_ranks.hpp"
#include "predict/protocol_cost.hpp"
#include "predict/timeline/clocks.hpp"
#include "predict/traces/wire_load.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/traces/play_trace.hpp>

#include <fmt/format.h>

#include <deque>
#include <queue>
#include <tuple>
#include <utility>

namespace postage {
namespace {

using OperationNumber = std::uint32_t;

/// Of two ranks' messages of one tag, those that have arrived and those that are awaited: never both.
struct MessageQueues {
  std::deque<std::size_t> arrived{};  ///< flights
  std::deque<std::pair<OperationNumber, Seconds>> posted{};
};

/// A message on its way.
struct TraceFlight {
  Rank source = 0;
  Rank target = 0;
  std::uint32_t tag = 0;
  ChannelId channel = 0;
  TransferCost cost{};
  Seconds arrival = 0;
};

struct Successor {
  OperationNumber operation = 0;
  bool of_start = false;
};

struct TracePlayer {
  RankClocks ports;                      ///< its processor is that of the operation under way
  std::vector<Seconds> processors{};     ///< when each is free
  std::vector<std::uint32_t> missing{};  ///< [operation]
  std::vector<Seconds> ready{};          ///< [operation]
  std::vector<std::vector<Successor>> successors{};
  std::size_t left = 0;
};

class TraceEngine {
 public:
  TraceEngine(const Trace& trace, const ChannelMap& channels, const Model& model)
      : trace_(trace), channels_(channels), model_(model), ranks_(trace.ranks.size()) {
    check_capacity(channels, static_cast<Rank>(trace.ranks.size()));
    times_.finish.resize(ranks_.size());
    times_.computing.resize(ranks_.size());
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      prepare(trace.ranks[rank], ranks_[rank]);
    }
  }

  TraceTimes run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      for (OperationNumber i = 0; i < ranks_[rank].missing.size(); ++i) {
        if (ranks_[rank].missing[i] == 0) {
          push_ready(static_cast<Rank>(rank), i, 0);
        }
      }
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      event.is_arrival ? arrive(event.number)
                       : start(event.rank, static_cast<OperationNumber>(event.number), event.time);
    }
    check_all_done();
    return std::move(times_);
  }

 private:
  struct Event {
    Seconds time = 0;
    std::uint64_t order = 0;  ///< events of one moment in the order in which they were brought about
    bool is_arrival = false;
    Rank rank = 0;
    std::size_t number = 0;  ///< of the operation or the flight
    bool operator>(const Event& other) const { return std::tie(time, order) > std::tie(other.time, other.order); }
  };

  static void prepare(const RankTrace& trace, TracePlayer& rank) {
    const std::size_t count = trace.operations.size();
    rank.missing.resize(count);
    rank.ready.resize(count);
    rank.successors.resize(count);
    rank.left = count;
    for (const TraceDependency& dependency : trace.dependencies) {
      ++rank.missing[dependency.operation];
      rank.successors[dependency.on].push_back({dependency.operation, dependency.of_start});
    }
    for (const TraceOperation& operation : trace.operations) {
      rank.processors.resize(std::max<std::size_t>(rank.processors.size(), operation.processor + std::size_t{1}));
    }
  }

  [[nodiscard]] TracePlayer& state(Rank rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const TraceOperation& operation(Rank rank, OperationNumber number) const {
    return trace_.ranks[static_cast<std::size_t>(rank)].operations[number];
  }

  void push_ready(Rank rank, OperationNumber number, Seconds time) {
    events_.push({time, order_++, false, rank, number});
  }

  /// What waits for the start, or for the end, of an operation.
  void release(Rank r, OperationNumber number, bool of_start, Seconds time) {
    TracePlayer& rank = state(r);
    for (const Successor& successor : rank.successors[number]) {
      if (successor.of_start == of_start) {
        Seconds& ready = rank.ready[successor.operation];
        ready = std::max(ready, time);
        if (--rank.missing[successor.operation] == 0) {
          push_ready(r, successor.operation, ready);
        }
      }
    }
  }

  void end(Rank r, OperationNumber number, Seconds time) {
    --state(r).left;
    Seconds& finish = times_.finish[static_cast<std::size_t>(r)];
    finish = std::max(finish, time);
    release(r, number, false, time);
  }

  void start(Rank r, OperationNumber number, Seconds time) {
    const TraceOperation& what = operation(r, number);
    switch (what.kind) {
      case TraceKind::kCompute:
        return compute(r, number, what, time);
      case TraceKind::kSend:
        return send(r, number, what, time);
      case TraceKind::kReceive:
        return post(r, number, what, time);
    }
  }

  void compute(Rank r, OperationNumber number, const TraceOperation& what, Seconds time) {
    Seconds& processor = state(r).processors[what.processor];
    const Seconds begin = std::max(processor, time);
    processor = begin + what.seconds;
    times_.computing[static_cast<std::size_t>(r)] += what.seconds;
    release(r, number, true, begin);
    end(r, number, begin + what.seconds);
  }

  void send(Rank r, OperationNumber number, const TraceOperation& what, Seconds time) {
    TracePlayer& rank = state(r);
    Seconds& processor = rank.processors[what.processor];
    rank.ports.processor = std::max(processor, time);
    TraceFlight flight{.source = r, .target = what.peer, .tag = what.tag};
    flight.cost = r == what.peer ? TransferCost{} : cost_of(flight, what.bytes);
    const Seconds begin = start_message(rank.ports, flight.cost);
    processor = rank.ports.processor;
    flight.arrival = begin + flight.cost.sender_busy + flight.cost.wire;
    events_.push({flight.arrival, order_++, true, what.peer, flights_.size()});
    flights_.push_back(flight);
    release(r, number, true, begin);
    end(r, number, processor);
  }

  [[nodiscard]] TransferCost cost_of(TraceFlight& flight, Bytes bytes) {
    flight.channel = channels_.is_single() ? ChannelId{0} : channels_.channel_of(flight.source, flight.target);
    TransferQuestion question{.source = channels_.measured_rank(flight.source),
                              .target = channels_.measured_rank(flight.target),
                              .channel = flight.channel,
                              .bytes = bytes};
    question.concurrency = load_.start(node_of(flight.source), node_of(flight.target), flight.channel);
    if (!feels_contention(model_)) {
      question.concurrency = 1;
    }
    return protocol_cost(model_, question, {});
  }

  [[nodiscard]] std::int32_t node_of(Rank rank) const {
    return channels_.is_single() ? 0 : channels_.mapping().placement_of(rank).node;
  }

  void arrive(std::size_t number) {
    TraceFlight& flight = flights_[number];
    if (flight.source != flight.target) {
      load_.end(node_of(flight.source), node_of(flight.target), flight.channel);
      flight.arrival = end_arrival(state(flight.target).ports, flight.arrival, flight.cost.receive_gap());
    }
    MessageQueues& queues = queues_[{flight.target, flight.source, flight.tag}];
    if (queues.posted.empty()) {
      queues.arrived.push_back(number);
      return;
    }
    const auto [receive, posted] = queues.posted.front();
    queues.posted.pop_front();
    receive_message(receive, posted, flight);
  }

  void post(Rank r, OperationNumber number, const TraceOperation& what, Seconds time) {
    release(r, number, true, time);
    MessageQueues& queues = queues_[{r, what.peer, what.tag}];
    if (queues.arrived.empty()) {
      queues.posted.emplace_back(number, time);
      return;
    }
    const TraceFlight flight = flights_[queues.arrived.front()];
    queues.arrived.pop_front();
    receive_message(number, time, flight);
  }

  void receive_message(OperationNumber number, Seconds posted, const TraceFlight& flight) {
    TracePlayer& rank = state(flight.target);
    Seconds& processor = rank.processors[operation(flight.target, number).processor];
    rank.ports.processor = std::max(processor, posted);
    take_in(rank.ports, flight.arrival, flight.cost);
    processor = rank.ports.processor;
    end(flight.target, number, processor);
  }

  void check_all_done() const {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].left > 0) {
        throw Error(reason_of(rank));
      }
    }
  }

  [[nodiscard]] std::string reason_of(std::size_t rank) const {
    for (const auto& [key, queues] : queues_) {
      const auto& [target, source, tag] = key;
      if (!queues.posted.empty()) {
        return fmt::format(
            "the trace does not end: rank {} waits for a message of tag {} from rank {}, which does not send it",
            target, tag, source);
      }
    }
    return fmt::format("the trace does not end: operations of rank {} wait for each other in a circle", rank);
  }

  const Trace& trace_;
  const ChannelMap& channels_;
  const Model& model_;
  std::vector<TracePlayer> ranks_;
  TraceTimes times_;
  WireLoad load_;
  std::vector<TraceFlight> flights_;
  std::map<std::tuple<Rank, Rank, std::uint32_t>, MessageQueues> queues_;  ///< by target, source and tag
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
};

Seconds largest(const std::vector<Seconds>& times) {
  return times.empty() ? 0 : *std::max_element(times.begin(), times.end());
}

}  // namespace

Seconds TraceTimes::seconds() const {
  return largest(finish);
}

Seconds TraceTimes::longest_computing() const {
  return largest(computing);
}

TraceTimes play_trace(const Trace& trace, const ChannelMap& channels, const Model& model) {
  return TraceEngine(trace, channels, model).run();
}

}  // namespace postage
