#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/node_parts.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace postage {
namespace {

/// Cuts the vector into as many blocks as the least common multiple of what its parts need.
BlockLayout cut_vector(std::vector<std::vector<Part>>& phases, const ScheduleRequest& request) {
  constexpr Index kMostBlocks = Index{1} << 40;
  Index blocks = 1;
  for (const std::vector<Part>& parts : phases) {
    for (const Part& part : parts) {
      const Index shares = part.schedule.layout.blocks();
      const Index factor = shares / std::gcd(blocks, shares);
      if (factor > kMostBlocks / blocks) {
        throw UsageError(
            "the nodes' sizes are too different to cut the vector for all of them; within nodes it must stay whole, "
            "as in a tree");
      }
      blocks *= factor;
    }
  }
  for (std::vector<Part>& parts : phases) {
    for (Part& part : parts) {
      share_out(blocks, part.schedule.layout.blocks(), part.embedding);
    }
  }
  return BlockLayout::split(blocks, request.bytes / request.element_bytes, request.element_bytes);
}

void append_phase(Schedule& whole, std::vector<Part> parts, const std::string& where) {
  std::vector<Stage> stages;
  for (const Part& part : parts) {
    join_stages(stages, embedded_stages(part.schedule, part.embedding, where));
  }
  whole.stages.insert(whole.stages.end(), stages.begin(), stages.end());
}

Schedule compose(Collective collective, const ScheduleRequest& request, const NodeMap& map, const NodeParts& parts) {
  const NodePhases phases = node_phases(collective);
  const PartBuilder builder(collective, request, map);
  std::vector<std::vector<Part>> built;
  if (phases.up) {
    built.push_back(builder.up(*phases.up, parts.up));
  }
  built.push_back({builder.across(phases.across, parts.across)});
  if (phases.down) {
    built.push_back(builder.down(*phases.down, parts.down));
  }
  Schedule whole{.layout = is_vector(collective) ? cut_vector(built, request) : builder.layout()};
  for (std::size_t phase = 0; phase < built.size(); ++phase) {
    const bool across = phase == (phases.up ? 1 : 0);
    append_phase(whole, std::move(built[phase]), across ? "between nodes" : "within nodes");
  }
  return whole;
}

std::string name_of_parts(const NodePhases& phases, const NodeParts& parts) {
  std::string name = "node-aware";
  if (phases.up) {
    name += " " + parts.up.algorithm;
  }
  name += " / " + parts.across.algorithm;
  return phases.down ? name + " / " + parts.down.algorithm : name;
}

}  // namespace

NodePhases node_phases(Collective collective) {
  switch (collective) {
    case Collective::kBcast:
      return {.across = Collective::kBcast, .down = Collective::kBcast};
    case Collective::kReduce:
      return {.up = Collective::kReduce, .across = Collective::kReduce};
    case Collective::kAllreduce:
      return {.up = Collective::kReduce, .across = Collective::kAllreduce, .down = Collective::kBcast};
    case Collective::kGather:
      return {.up = Collective::kGather, .across = Collective::kGather};
    case Collective::kScatter:
      return {.across = Collective::kScatter, .down = Collective::kScatter};
    case Collective::kAllgather:
      return {.up = Collective::kGather, .across = Collective::kAllgather, .down = Collective::kBcast};
    case Collective::kAlltoall:
      return {.up = Collective::kGather, .across = Collective::kAlltoall, .down = Collective::kScatter};
    case Collective::kBarrier:
      return {.up = Collective::kBarrier, .across = Collective::kBarrier, .down = Collective::kBcast};
    default:
      throw UsageError(fmt::format(
          "{} has no node-aware form; barrier, bcast, reduce, allreduce, gather, scatter, allgather and alltoall have",
          name_of(collective)));
  }
}

Schedule node_aware_schedule(Collective collective, const ScheduleRequest& request, const NodeMap& map,
                             const NodeParts& parts) {
  const NodePhases phases = node_phases(collective);
  check_request(collective, request);
  if (map.ranks() != request.ranks) {
    throw UsageError(fmt::format("the map of nodes has {} ranks, but P is {}", map.ranks(), request.ranks));
  }
  if (is_reduction(collective) && !request.commutative && !map.is_in_rank_order()) {
    throw UsageError(
        "sums of nodes keep the ranks' order only where all ranks of a node come before those of the next; here the "
        "operation must commute");
  }
  Schedule schedule = compose(collective, request, map, parts);
  schedule.collective = collective;
  schedule.algorithm = name_of_parts(phases, parts);
  schedule.ranks = request.ranks;
  schedule.root = request.root;
  return schedule;
}

}  // namespace postage
