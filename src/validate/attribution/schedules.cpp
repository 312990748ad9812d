#include "validate/attribution/candidates.hpp"

#include <postage/schedule/prefix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace postage {
namespace {

/// Following more messages takes longer than one waits for an explanation.
constexpr Index kMostMessages = 2'000'000;

/// What one rank does.
struct RankWorkload {
  double sent = 0;
  double received = 0;
  double bytes_sent = 0;
  double bytes_received = 0;
  double bytes_combined = 0;
};

/// What a schedule asks of ranks and network.
struct Workload {
  double steps = 0;
  RankWorkload busiest{};  ///< each figure that of the rank that has most of it
  double bytes_between_nodes = 0;
  double bytes_within_nodes = 0;
};

void keep_larger(double& most, double value) {
  most = std::max(most, value);
}

Workload workload_of(const Schedule& schedule, const ChannelMap& map) {
  Workload work{.steps = static_cast<double>(traffic_of(schedule).rounds)};
  std::vector<RankWorkload> ranks(static_cast<std::size_t>(schedule.ranks));
  if (traffic_of(schedule).messages > kMostMessages) {
    return work;
  }
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& transfer) {
    if (transfer.source == transfer.target) {
      return;
    }
    const auto bytes = static_cast<double>(transfer.bytes);
    RankWorkload& source = ranks[static_cast<std::size_t>(transfer.source)];
    RankWorkload& target = ranks[static_cast<std::size_t>(transfer.target)];
    source.sent += 1;
    source.bytes_sent += bytes;
    target.received += 1;
    target.bytes_received += bytes;
    target.bytes_combined += transfer.pattern->combine == Combine::kCopy ? 0 : bytes;
    const bool is_within = !map.is_single() && map.mapping().placement_of(transfer.source).node ==
                                                   map.mapping().placement_of(transfer.target).node;
    (is_within ? work.bytes_within_nodes : work.bytes_between_nodes) += bytes;
  });
  for (const RankWorkload& rank : ranks) {
    keep_larger(work.busiest.sent, rank.sent);
    keep_larger(work.busiest.received, rank.received);
    keep_larger(work.busiest.bytes_sent, rank.bytes_sent);
    keep_larger(work.busiest.bytes_received, rank.bytes_received);
    keep_larger(work.busiest.bytes_combined, rank.bytes_combined);
  }
  return work;
}

struct Quantity {
  const char* term;
  const char* unit;
  double (*of)(const Workload&);
};

constexpr Quantity kQuantities[] = {
    {"start-up: a time for each collective", "collective", [](const Workload&) { return 1.0; }},
    {"latency or waiting: a time for each round", "round", [](const Workload& work) { return work.steps; }},
    {"sender's overhead: a time for each message that the busiest sender sends", "message",
     [](const Workload& work) { return work.busiest.sent; }},
    {"receiver's overhead: a time for each message that the busiest receiver takes", "message",
     [](const Workload& work) { return work.busiest.received; }},
    {"sender's bandwidth: a time for each byte that the busiest sender sends", "byte",
     [](const Workload& work) { return work.busiest.bytes_sent; }},
    {"receiver's bandwidth: a time for each byte that the busiest receiver takes", "byte",
     [](const Workload& work) { return work.busiest.bytes_received; }},
    {"shared link: a time for each byte between nodes, of all messages together", "byte",
     [](const Workload& work) { return work.bytes_between_nodes; }},
    {"shared memory: a time for each byte within nodes, of all messages together", "byte",
     [](const Workload& work) { return work.bytes_within_nodes; }},
    {"reduction: a time for each byte that the busiest rank combines", "byte",
     [](const Workload& work) { return work.busiest.bytes_combined; }},
};

}  // namespace

std::vector<CauseCandidate> missing_candidates(const std::vector<TimedCollective>& collectives, const ChannelMap& map) {
  std::vector<Workload> works;
  works.reserve(collectives.size());
  for (const TimedCollective& one : collectives) {
    works.push_back(workload_of(one.schedule, map));
  }
  std::vector<CauseCandidate> candidates;
  for (const Quantity& quantity : kQuantities) {
    CauseCandidate one{.kind = CauseKind::kMissing, .term = quantity.term, .unit = quantity.unit};
    std::transform(works.begin(), works.end(), std::back_inserter(one.quantities), quantity.of);
    if (std::any_of(one.quantities.begin(), one.quantities.end(), [](double value) { return value > 0; })) {
      candidates.push_back(std::move(one));
    }
  }
  return candidates;
}

std::vector<CauseCandidate> stage_candidates(const std::vector<TimedCollective>& collectives,
                                             const std::function<Seconds(const Schedule&)>& predict_one) {
  std::map<std::string, CauseCandidate> by_name;
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const Schedule& whole = collectives[i].schedule;
    Seconds before = 0;
    for (std::size_t last = 0; last < whole.stages.size(); ++last) {
      const Stage& stage = whole.stages[last];
      const Seconds after = predict_one(first_stages(whole, last + 1));
      CauseCandidate& one = by_name[stage.name];
      one.quantities.resize(collectives.size());
      one.quantities[i] += after - before;
      before = after;
    }
  }
  std::vector<CauseCandidate> candidates;
  for (auto& [name, one] : by_name) {
    one.kind = CauseKind::kStage;
    one.term = fmt::format("stage {}", name);
    if (by_name.size() > 1) {
      candidates.push_back(std::move(one));
    }
  }
  return candidates;
}

}  // namespace postage
