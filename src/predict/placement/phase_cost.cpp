#include "predict/placement/phase_cost.hpp"

#include "predict/protocol_cost.hpp"
#include "predict/rounds/together.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace postage {
namespace {

std::size_t as_index(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

double fourth_power(double value) {
  return value * value * value * value;
}

/// Of parts that may add up to a little more than a whole.
double at_least_one(double count) {
  constexpr double kRounding = 1e-9;
  return std::max(std::ceil(count - kRounding), 1.0);
}

}  // namespace

PhaseCost::PhaseCost(const MessagePhase& phase, const Places& places) : places_(places), times_(phase.times) {
  const std::size_t ranks = places.slot_of_rank.size();
  first_of_rank_.assign(ranks + 1, 0);
  sends_.assign(ranks, false);
  for (const StartedMessage& message : phase.messages) {
    if (message.source == message.target) {
      continue;
    }
    messages_.push_back({.message = message});
    ++first_of_rank_[as_index(message.source) + 1];
    ++first_of_rank_[as_index(message.target) + 1];
    sends_[as_index(message.source)] = true;
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    first_of_rank_[rank + 1] += first_of_rank_[rank];
  }
  set_parts();
  of_rank_.resize(2 * messages_.size());
  std::vector<std::size_t> next(first_of_rank_.begin(), first_of_rank_.end() - 1);
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    of_rank_[next[as_index(messages_[i].message.source)]++] = i;
    of_rank_[next[as_index(messages_[i].message.target)]++] = i;
  }
  stamp_of_message_.assign(messages_.size(), 0);
  stamp_of_rank_.assign(ranks, 0);
  stamp_of_node_.assign(places.slots_of_node.size(), 0);
  recount();
}

/// Where messages share rates, those of one rank take turns at what they share, so that they count as one there.
void PhaseCost::set_parts() {
  if (!places_.model->properties().has_flows) {
    return;
  }
  std::vector<double> sent(sends_.size(), 0);
  std::vector<double> received(sends_.size(), 0);
  for (const Message& one : messages_) {
    ++sent[as_index(one.message.source)];
    ++received[as_index(one.message.target)];
  }
  for (Message& one : messages_) {
    one.part = 1 / std::max(sent[as_index(one.message.source)], received[as_index(one.message.target)]);
  }
}

void PhaseCost::recount() {
  traffic_.assign(places_.slots_of_node.size(), {});
  inside_.assign(places_.slots_of_node.size(), {});
  number_of_link_.clear();
  link_seconds_ = Largest(1);
  work_.fill(Largest(places_.slot_of_rank.size()));
  sum_of_powers_ = 0;
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    count(i, 1);
  }
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    refresh_message(i);
  }
  for (std::size_t rank = 0; rank < places_.slot_of_rank.size(); ++rank) {
    refresh_rank(static_cast<Rank>(rank));
  }
}

/// Each message of either rank once.
template <typename Visit>
void PhaseCost::for_each_of(Rank a, Rank b, const Visit& visit) {
  ++stamp_;
  for (const Rank rank : {a, b}) {
    for (std::size_t i = first_of_rank_[as_index(rank)]; i < first_of_rank_[as_index(rank) + 1]; ++i) {
      const std::size_t number = of_rank_[i];
      if (stamp_of_message_[number] != stamp_) {
        stamp_of_message_[number] = stamp_;
        visit(number);
      }
    }
  }
}

void PhaseCost::count(std::size_t number, int sign) {
  Message& one = messages_[number];
  const auto [source, target, bytes] = one.message;
  const std::int32_t from = places_.node_of(source);
  const std::int32_t to = places_.node_of(target);
  if (sign > 0) {
    one.channel =
        places_.slots->channel_of(places_.slot_of_rank[as_index(source)], places_.slot_of_rank[as_index(target)]);
  }
  if (from == to) {
    std::vector<double>& inside = inside_[as_index(from)];
    inside.resize(std::max(inside.size(), std::size_t{one.channel} + 1));
    inside[one.channel] += sign * one.part;
    traffic_[as_index(from)].all_inside += sign * one.part;
  } else {
    traffic_[as_index(from)].leaving += sign * one.part;
    traffic_[as_index(to)].entering += sign * one.part;
    count_links(one.message, sign);
  }
}

void PhaseCost::count_links(const StartedMessage& message, int sign) {
  const NetworkLinks* network = places_.slots->network();
  if (network == nullptr || !places_.model->properties().has_flows) {
    return;
  }
  network->find_route(places_.node_of(message.source), places_.node_of(message.target), route_);
  for (const LinkOnRoute& link : route_) {
    const auto [found, is_new] = number_of_link_.try_emplace(link.id, number_of_link_.size());
    if (is_new) {
      link_seconds_.resize(number_of_link_.size());
    }
    const Seconds more = sign * static_cast<double>(message.bytes) / link.bandwidth;
    link_seconds_.set(found->second, std::max(0.0, link_seconds_.at(found->second) + more));
  }
}

void PhaseCost::mark_nodes_of(const StartedMessage& message) {
  for (const Rank rank : {message.source, message.target}) {
    const std::int32_t node = places_.node_of(rank);
    if (stamp_of_node_[as_index(node)] != stamp_) {
      stamp_of_node_[as_index(node)] = stamp_;
      marked_nodes_.push_back(node);
    }
  }
}

void PhaseCost::take_away(Rank a, Rank b) {
  marked_nodes_.clear();
  for_each_of(a, b, [&](std::size_t number) {
    mark_nodes_of(messages_[number].message);
    count(number, -1);
  });
}

/// Every message that starts or ends on a node whose load has changed may cost otherwise.
void PhaseCost::put_back(Rank a, Rank b) {
  const std::vector<std::int32_t> before = marked_nodes_;
  marked_nodes_.clear();
  marked_ranks_.clear();
  for_each_of(a, b, [&](std::size_t number) {
    mark_nodes_of(messages_[number].message);
    count(number, 1);
    refresh_message(number);
    marked_ranks_.push_back(messages_[number].message.source);
    marked_ranks_.push_back(messages_[number].message.target);
  });
  for (const std::int32_t node : before) {
    if (stamp_of_node_[as_index(node)] != stamp_) {
      marked_nodes_.push_back(node);
    }
  }
  refresh_marked();
}

void PhaseCost::refresh_marked() {
  ++stamp_;
  if (feels_contention(*places_.model)) {
    for (const std::int32_t node : marked_nodes_) {
      for (const Rank slot : places_.slots_of_node[as_index(node)]) {
        const Rank rank = places_.rank_of_slot[as_index(slot)];
        for (std::size_t i = first_of_rank_[as_index(rank)]; i < first_of_rank_[as_index(rank) + 1]; ++i) {
          const Message& one = messages_[of_rank_[i]];
          if (stamp_of_message_[of_rank_[i]] == stamp_) {
            continue;
          }
          stamp_of_message_[of_rank_[i]] = stamp_;
          refresh_message(of_rank_[i]);
          marked_ranks_.push_back(one.message.source);
          marked_ranks_.push_back(one.message.target);
        }
      }
    }
  }
  for (const Rank rank : marked_ranks_) {
    if (stamp_of_rank_[as_index(rank)] != stamp_) {
      stamp_of_rank_[as_index(rank)] = stamp_;
      refresh_rank(rank);
    }
  }
}

/// What shares memory and cards with it, as RoundLoads::share has it.
TransferQuestion PhaseCost::question_of(const Message& one) const {
  const auto [source, target, bytes] = one.message;
  const Model& model = *places_.model;
  TransferQuestion question{.channel = one.channel, .bytes = bytes};
  question.receiver_sends = model.properties().feels_exchange && sends_[as_index(target)];
  if (depends_on_ranks(model)) {
    question.source = places_.slots->measured_rank(places_.slot_of_rank[as_index(source)]);
    question.target = places_.slots->measured_rank(places_.slot_of_rank[as_index(target)]);
  }
  if (!feels_contention(model)) {
    return question;
  }
  const auto from = as_index(places_.node_of(source));
  const auto to = as_index(places_.node_of(target));
  const Traffic& at_source = traffic_[from];
  const Traffic& at_target = traffic_[to];
  if (from == to) {
    const double same = inside_[from][one.channel];
    question.concurrency = question.receiving_concurrency = at_least_one(same);
    question.sending_concurrency = at_least_one(same + at_source.leaving);
  } else {
    question.concurrency = at_least_one(std::max(at_source.leaving, at_target.entering));
    question.opposing = std::max(at_source.entering, at_target.leaving);
    question.sending_concurrency = at_least_one(at_source.all_inside + at_source.leaving);
    question.receiving_concurrency = at_least_one(at_target.entering);
  }
  return question;
}

void PhaseCost::refresh_message(std::size_t number) {
  ++charged_;
  const TransferQuestion question = question_of(messages_[number]);
  messages_[number].cost = started_together(*places_.model, question, protocol_cost(*places_.model, question, {}));
}

void PhaseCost::refresh_rank(Rank rank) {
  const FanLimits* limits = places_.model->fan_limits();
  RankWork work;
  std::optional<FanWork> fan;
  if (limits != nullptr) {
    fan.emplace(*limits);
  }
  const auto add = [&](const Message& one, bool sent) {
    if (fan) {
      fan->add(0, {.bytes = one.message.bytes, .sent = sent}, one.cost, 1, work);
    } else if (sent) {
      work.send(one.cost, 1);
    } else {
      work.receive(one.cost, 1);
    }
  };
  for (std::size_t i = first_of_rank_[as_index(rank)]; i < first_of_rank_[as_index(rank) + 1]; ++i) {
    const Message& one = messages_[of_rank_[i]];
    add(one, one.message.source == rank);
  }
  if (fan) {
    fan->close(work);
  }
  const bool in_step = places_.model->properties().moves_in_step;
  for (std::size_t step = 0; step < (in_step ? work_.size() : 1); ++step) {
    const Seconds own = in_step ? std::max(work.sent.seconds[step], work.received.seconds[step]) : work.total();
    sum_of_powers_ += fourth_power(own) - fourth_power(work_[step].at(as_index(rank)));
    work_[step].set(as_index(rank), own);
  }
}

Rank PhaseCost::slowest_rank() const {
  const auto longest = std::ranges::max_element(work_, {}, [](const Largest& step) { return step.value(); });
  return static_cast<Rank>(longest->index());
}

Seconds PhaseCost::mean() const {
  const auto ranks = static_cast<double>(places_.slot_of_rank.size());
  return times_ * std::sqrt(std::sqrt(std::max(0.0, sum_of_powers_) / ranks));
}

Seconds PhaseCost::seconds() const {
  const Seconds of_ranks = work_[0].value() + work_[1].value() + work_[2].value();
  return times_ * std::max(of_ranks, link_seconds_.value());
}

}  // namespace postage
