#include "measure/campaign/stages.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// The leader chooses when it begins.
constexpr Seconds kChosenLater = -1;
constexpr int kDelayedTrain = 8;

void add_once(std::vector<Experiment>& shapes, const Experiment& shape) {
  if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
    shapes.push_back(shape);
  }
}

Experiment reply_shape(Bytes bytes) {
  return {.kind = Kind::kRoundtrip, .bytes = bytes};
}

/// Sizes whose roundtrip with an empty reply others build on.
std::vector<Bytes> reply_sizes(const CampaignPlan& plan) {
  std::vector<Bytes> sizes = plan.reply_sizes;
  for (const auto* others : {&plan.overhead_sizes, &plan.train_sizes, &plan.delayed_sizes, &plan.one_to_two_sizes}) {
    sizes.insert(sizes.end(), others->begin(), others->end());
  }
  return sizes;
}

std::vector<Experiment> pair_shapes(const CampaignPlan& plan) {
  std::vector<Experiment> shapes;
  for (const Bytes bytes : plan.roundtrip_sizes) {
    add_once(shapes, {.kind = Kind::kRoundtrip, .bytes = bytes, .reply_bytes = bytes});
  }
  for (const Bytes bytes : plan.echo_sizes) {
    add_once(shapes, {.kind = Kind::kEcho, .bytes = bytes});
  }
  for (const Bytes bytes : reply_sizes(plan)) {
    add_once(shapes, reply_shape(bytes));
  }
  for (const Bytes bytes : plan.overhead_sizes) {
    add_once(shapes, at_size({.kind = Kind::kSendOverhead}, bytes));
    add_once(shapes, at_size({.kind = Kind::kDelayedReceive, .delay = kChosenLater}, bytes));
  }
  for (const Bytes bytes : plan.train_sizes) {
    add_once(shapes, at_size({.kind = Kind::kTrain}, bytes));
  }
  for (const Bytes bytes : plan.delayed_sizes) {
    add_once(shapes, {.kind = Kind::kTrain, .bytes = bytes, .messages = kDelayedTrain, .delay = kChosenLater});
  }
  for (const Bytes bytes : plan.strided_sizes) {
    const Bytes whole = (bytes + plan.run_bytes - 1) / plan.run_bytes * plan.run_bytes;
    for (const Bytes stride : plan.strides) {
      for (const bool by_hand : {false, true}) {
        add_once(shapes, {.kind = Kind::kStridedRoundtrip,
                          .bytes = whole,
                          .run_bytes = plan.run_bytes,
                          .stride = stride,
                          .by_hand = by_hand});
      }
    }
  }
  return shapes;
}

Curve adaptive_curve(Bytes largest) {
  Curve curve{.shapes = {reply_shape(0),
                         {.kind = Kind::kSendOverhead},
                         {.kind = Kind::kDelayedReceive, .delay = kChosenLater},
                         {.kind = Kind::kTrain}},
              .sizes = {0},
              .rule = Refine::kWhereExtrapolationMisses};
  for (Bytes bytes = 1; bytes < largest; bytes *= 4) {
    curve.sizes.push_back(bytes);
  }
  curve.sizes.push_back(largest);
  return curve;
}

/// The same kind at several sizes.
std::vector<Experiment> at_sizes(const Experiment& shape, const std::vector<Bytes>& sizes) {
  std::vector<Experiment> shapes;
  for (const Bytes bytes : sizes) {
    add_once(shapes, at_size(shape, bytes));
  }
  return shapes;
}

/// 2, 3, 4, 6, 8, 12, 16, ... up to `most`, which is among them.
std::vector<std::size_t> steps_up_to(std::size_t most) {
  std::vector<std::size_t> steps;
  for (std::size_t step = 2; step < most; step = step + (step & (step - 1) ? step / 3 : step / 2)) {
    steps.push_back(step);
  }
  if (most >= 2) {
    steps.push_back(most);
  }
  return steps;
}

/// Ranks among which a channel's transfers run without disturbing others: those of one host, or of two.
std::vector<RankGroup> units_of(const RankPlacements& placements, std::string_view channel) {
  std::vector<RankGroup> hosts(placements.nodes.size());
  for (std::size_t rank = 0; rank < placements.ranks.size(); ++rank) {
    hosts[static_cast<std::size_t>(placements.ranks[rank].node)].push_back(static_cast<Rank>(rank));
  }
  if (channel != kInterNode) {
    return hosts;
  }
  std::vector<RankGroup> couples;
  for (std::size_t host = 0; host + 1 < hosts.size(); host += 2) {
    couples.push_back(hosts[host]);
    couples.back().insert(couples.back().end(), hosts[host + 1].begin(), hosts[host + 1].end());
  }
  return couples;
}

std::vector<std::string> channels_of(const RankPlacements& placements) {
  std::vector<std::string> channels;
  for (const char* channel : {kSharedCache, kIntraSocket, kInterSocket, kInterNode}) {
    const auto units = units_of(placements, channel);
    if (std::any_of(units.begin(), units.end(),
                    [&](const RankGroup& unit) { return !pairs_over(placements, unit, channel).empty(); })) {
      channels.emplace_back(channel);
    }
  }
  return channels;
}

RankGroup flattened(const std::vector<RankGroup>& groups, std::size_t count) {
  RankGroup all;
  for (std::size_t i = 0; i < count; ++i) {
    all.insert(all.end(), groups[i].begin(), groups[i].end());
  }
  return all;
}

/// Makes the stages of the experiments that share a channel.
class ChannelStages {
 public:
  ChannelStages(const CampaignPlan& plan, const RankPlacements& placements, std::string method,
                std::vector<CampaignStage>& stages)
      : plan_(plan), placements_(placements), method_(std::move(method)), stages_(stages) {}

  void add(const std::string& channel) {
    std::vector<std::vector<RankGroup>> pairs;
    std::size_t most_pairs = 0;
    std::size_t most_ranks = 0;
    const std::vector<RankGroup> units = units_of(placements_, channel);
    for (const RankGroup& unit : units) {
      pairs.push_back(pairs_over(placements_, unit, channel));
      most_pairs = std::max(most_pairs, pairs.back().size());
      most_ranks = std::max(most_ranks, unit.size());
    }
    for (const std::size_t count : steps_up_to(most_pairs)) {
      add_stage(groups_of_pairs(pairs, count), Kind::kConcurrentPairs, channel, plan_.concurrent_sizes);
    }
    for (const std::size_t count : steps_up_to(most_ranks)) {
      std::vector<RankGroup> rings;
      for (const RankGroup& unit : units) {
        rings.push_back(ring_over(placements_, unit, channel, count));
      }
      add_stage(rings, Kind::kRing, channel, plan_.concurrent_sizes);
    }
    add_stage(groups_of_pairs(pairs, 1), Kind::kButterfly, channel, plan_.butterfly_sizes);
    for (const std::size_t count : steps_up_to(most_pairs)) {
      add_stage(groups_of_pairs(pairs, count), Kind::kButterfly, channel, plan_.butterfly_sizes);
    }
    add_fans(channel);
  }

 private:
  static std::vector<RankGroup> groups_of_pairs(const std::vector<std::vector<RankGroup>>& pairs, std::size_t count) {
    std::vector<RankGroup> groups;
    for (const auto& unit : pairs) {
      if (unit.size() >= count) {
        groups.push_back(flattened(unit, count));
      }
    }
    return groups;
  }

  void add_fans(const std::string& channel) {
    for (std::size_t root = 0; root < placements_.ranks.size(); ++root) {
      RankGroup fan{static_cast<Rank>(root)};
      for (std::size_t rank = 0; rank < placements_.ranks.size(); ++rank) {
        if (rank != root && placements_.channel(static_cast<Rank>(root), static_cast<Rank>(rank)) == channel) {
          fan.push_back(static_cast<Rank>(rank));
        }
      }
      if (fan.size() > 1) {
        add_stage({fan}, Kind::kOutcast, channel, plan_.fan_sizes);
        add_stage({fan}, Kind::kIncast, channel, plan_.fan_sizes);
        fan.resize(2);
        add_stage({fan}, Kind::kSynchronisedExchange, channel, plan_.fan_sizes);
        add_stage({fan}, Kind::kAnswer, channel, plan_.fan_sizes);
        return;
      }
    }
  }

  void add_stage(std::vector<RankGroup> groups, Kind kind, const std::string& channel,
                 const std::vector<Bytes>& sizes) {
    groups.erase(std::remove_if(groups.begin(), groups.end(), [](const RankGroup& group) { return group.empty(); }),
                 groups.end());
    if (!groups.empty() && !sizes.empty()) {
      stages_.push_back({pack_into_sets(groups, placements_.host_of()),
                         at_sizes({.kind = kind, .channel = channel, .method = method_}, sizes)});
    }
  }

  const CampaignPlan& plan_;
  const RankPlacements& placements_;
  std::string method_;
  std::vector<CampaignStage>& stages_;
};

constexpr Bytes kSmallMessage = 8;

/// What one rank of each host does without messages.
CampaignStage host_stage(const CampaignPlan& plan, const RankPlacements& placements) {
  ConcurrentSet set;
  for (std::size_t rank = 0; rank < placements.ranks.size(); ++rank) {
    const auto host = static_cast<std::size_t>(placements.ranks[rank].node);
    if (host == set.size()) {  // hosts are numbered in the order of their first ranks
      set.push_back({static_cast<Rank>(rank)});
    }
  }
  std::vector<Experiment> shapes = at_sizes({.kind = Kind::kCopy}, plan.copy_sizes);
  if (!shapes.empty()) {
    shapes.push_back({.kind = Kind::kProgram, .bytes = kSmallMessage});
  }
  for (const Experiment& shape : at_sizes({.kind = Kind::kReduction}, plan.reduction_sizes)) {
    shapes.push_back(shape);
  }
  return {{set}, shapes};
}

Experiment collective_shape(const CollectiveRun& run) {
  return {.kind = Kind::kCollective,
          .bytes = run.bytes,
          .collective = std::string(name_of(run.collective)),
          .algorithm = run.algorithm,
          .segment_bytes = run.segment_bytes,
          .root = run.root};
}

void add_stages_of_all(const CampaignPlan& plan, Rank ranks, const std::string& method,
                       std::vector<CampaignStage>& stages) {
  RankGroup all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<ConcurrentSet> sets{{all}};
  if (!plan.sweep_sizes.empty()) {
    const Experiment gather{.kind = Kind::kGather, .ranks = ranks, .method = method};
    std::vector<Bytes> sizes = plan.sweep_sizes;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    stages.push_back({sets,
                      at_sizes({.kind = Kind::kScatter, .ranks = ranks, .method = method}, sizes),
                      {{{gather}, sizes, Refine::kWhereItLeaps}}});
  }
  if (!plan.collectives.empty()) {
    CampaignStage stage{sets, {}};
    for (const CollectiveRun& run : plan.collectives) {
      Experiment shape = collective_shape(run);
      shape.ranks = ranks;
      shape.method = method;
      add_once(stage.shapes, shape);
    }
    stages.push_back(std::move(stage));
  }
}

/// What can be done with so many ranks.
CampaignPlan without_impossible(CampaignPlan plan, std::size_t ranks) {
  if (ranks < 3) {
    plan.one_to_two_sizes.clear();
  }
  if (ranks < 2) {
    plan = {.collectives = plan.collectives, .copy_sizes = plan.copy_sizes, .reduction_sizes = plan.reduction_sizes};
  }
  return plan;
}

void check_ranks(const CampaignPlan& plan, std::size_t ranks, bool has_pairs) {
  if (ranks < 2 && (has_pairs || !plan.sweep_sizes.empty())) {
    throw UsageError("messages need two ranks; start at least 2, as in mpirun -n 2");
  }
  if (ranks < 3 && !plan.one_to_two_sizes.empty()) {
    throw UsageError("experiments from one rank to two need three ranks; start at least 3, as in mpirun -n 3");
  }
  for (const Bytes stride : plan.strides) {
    if (!plan.strided_sizes.empty() && (plan.run_bytes < 1 || stride < plan.run_bytes)) {
      throw UsageError(
          fmt::format("a stride of {} is less than the {} bytes that lie together in a run", stride, plan.run_bytes));
    }
  }
}

}  // namespace

std::vector<Experiment> CampaignStage::all_shapes() const {
  std::vector<Experiment> all = shapes;
  for (const Curve& curve : curves) {
    all.insert(all.end(), curve.shapes.begin(), curve.shapes.end());
  }
  return all;
}

std::size_t CampaignStage::experiments() const {
  std::size_t count = shapes.size();
  for (const Curve& curve : curves) {
    count += curve.shapes.size() * curve.sizes.size();
  }
  return count;
}

bool CampaignStage::has_groups() const {
  const std::vector<Experiment> all = all_shapes();
  return std::any_of(all.begin(), all.end(),
                     [](const Experiment& e) { return has_members(e.kind) || is_of_all(e.kind); });
}

std::vector<int> RankPlacements::host_of() const {
  std::vector<int> hosts;
  for (const RankPlacement& place : ranks) {
    hosts.push_back(place.node);
  }
  return hosts;
}

std::vector<CampaignStage> stages_of(const CampaignPlan& wanted, const RankPlacements& placements,
                                     const MeasureSettings& settings, const std::string& method) {
  const CampaignPlan plan = wanted.as_far_as_possible ? without_impossible(wanted, placements.ranks.size()) : wanted;
  std::vector<CampaignStage> stages;
  CampaignStage pairs{pairs_to_measure(placements.host_of()), pair_shapes(plan)};
  if (plan.largest_adaptive > 0) {
    pairs.curves.push_back(adaptive_curve(plan.largest_adaptive));
  }
  const bool has_pairs = !pairs.shapes.empty() || !pairs.curves.empty();
  check_ranks(plan, placements.ranks.size(), has_pairs);
  if (has_pairs) {
    stages.push_back(std::move(pairs));
  }
  if (!plan.one_to_two_sizes.empty()) {
    stages.push_back({triplets_to_measure(placements.host_of(), settings.triplets),
                      at_sizes({.kind = Kind::kOneToTwo}, plan.one_to_two_sizes)});
  }
  ChannelStages channel_stages(plan, placements, method, stages);
  for (const std::string& channel : channels_of(placements)) {
    channel_stages.add(channel);
  }
  add_stages_of_all(plan, static_cast<Rank>(placements.ranks.size()), method, stages);
  if (!plan.copy_sizes.empty() || !plan.reduction_sizes.empty()) {
    stages.push_back(host_stage(plan, placements));
  }
  for (CampaignStage& stage : stages) {
    stage.sets = settings.serial ? one_by_one(stage.sets) : stage.sets;
  }
  return stages;
}

CampaignStage control_stage(const CampaignPlan& plan, const RankPlacements& placements) {
  CampaignStage stage;
  const std::vector<ConcurrentSet> sets = pairs_to_measure(placements.host_of());
  if (!sets.empty()) {
    stage.sets = {{sets.front().front()}};
    for (const Bytes bytes : plan.control_sizes) {
      add_once(stage.shapes, {.kind = Kind::kRoundtrip, .bytes = bytes, .reply_bytes = bytes});
    }
  }
  return stage;
}

Experiment at_size(Experiment shape, Bytes bytes) {
  shape.bytes = bytes;
  if (shape.kind == Kind::kTrain && shape.delay == 0) {
    shape.messages = messages_of_train(bytes);
  } else if (shape.kind == Kind::kSendOverhead || shape.kind == Kind::kDelayedReceive) {
    shape.messages = messages_of_overhead(bytes);
  }
  return shape;
}

Experiment with_participants(Experiment shape, const RankGroup& group) {
  if (has_members(shape.kind)) {
    shape.members = group;
  } else if (!is_of_all(shape.kind)) {
    const std::array<std::int32_t*, 3> roles{&shape.source, &shape.target, &shape.second_target};
    for (std::size_t i = 0; i < group.size(); ++i) {
      *roles[i] = group[i];
    }
  }
  return shape;
}

int messages_of_train(Bytes bytes) {
  constexpr Bytes most_bytes = Bytes{4} << 20;
  return static_cast<int>(std::clamp<Bytes>(most_bytes / std::max<Bytes>(bytes, 1), 4, 32));
}

int messages_of_overhead(Bytes bytes) {
  constexpr Bytes most_bytes = Bytes{8} << 10;
  return static_cast<int>(std::clamp<Bytes>(most_bytes / std::max<Bytes>(bytes, 1), 1, 8));
}

std::vector<RankGroup> pairs_over(const RankPlacements& placements, const RankGroup& ranks, std::string_view channel) {
  std::vector<RankGroup> pairs;
  std::vector<bool> used(ranks.size());
  for (std::size_t a = 0; a < ranks.size(); ++a) {
    for (std::size_t b = a + 1; b < ranks.size() && !used[a]; ++b) {
      if (!used[b] && placements.channel(ranks[a], ranks[b]) == channel) {
        pairs.push_back({ranks[a], ranks[b]});
        used[a] = true;
        used[b] = true;
      }
    }
  }
  return pairs;
}

RankGroup ring_over(const RankPlacements& placements, const RankGroup& ranks, std::string_view channel,
                    std::size_t count) {
  RankGroup ring;
  std::vector<Rank> waiting = ranks;
  while (ring.size() < count && !waiting.empty()) {
    const auto next = std::find_if(waiting.begin(), waiting.end(), [&](Rank rank) {
      return ring.empty() || placements.channel(ring.back(), rank) == channel;
    });
    if (next == waiting.end()) {
      return {};
    }
    ring.push_back(*next);
    waiting.erase(next);
  }
  const bool closes = ring.size() == count && placements.channel(ring.back(), ring.front()) == channel;
  return closes ? ring : RankGroup{};
}

}  // namespace postage
