#include "schedule/families.hpp"

namespace postage {
namespace {

Numbering from_root(const ScheduleRequest& request) {
  return LinearNumbering{request.root, 1, request.ranks};
}

/// The whole message is one block.
BlockSelector whole_message() {
  return BlockSpan{};
}

Schedule tree_schedule(const ScheduleRequest& request, Stage stage) {
  Schedule schedule;
  schedule.layout = BlockLayout::split(1, request.bytes / request.element_bytes, request.element_bytes);
  schedule.stages.push_back(std::move(stage));
  return schedule;
}

Round level(const ScheduleRequest& request, const AffinePairs& pairs) {
  return {{Pattern{pairs, from_root(request), whole_message()}}};
}

Schedule linear(const ScheduleRequest& request) {
  const AffinePairs star{.count = request.ranks - 1, .target_first = 1, .target_stride = 1};
  return tree_schedule(request, {.name = "root to all", .rounds = {level(request, star)}});
}

/// Level with distance d: 0 -> d, 2d -> 3d, ...; the farthest, largest sub-tree first.
Schedule binomial(const ScheduleRequest& request) {
  Stage stage{.name = "tree"};
  Index distance = 1;
  while (distance * 2 < request.ranks) {
    distance *= 2;
  }
  for (; distance >= 1; distance /= 2) {
    const Index senders = (request.ranks - distance + 2 * distance - 1) / (2 * distance);
    stage.rounds.push_back(level(
        request,
        {.count = senders, .source_stride = 2 * distance, .target_first = distance, .target_stride = 2 * distance}));
  }
  return tree_schedule(request, std::move(stage));
}

Schedule chain(const ScheduleRequest& request) {
  const AffinePairs walk{.count = 1, .target_first = 1, .source_step = 1, .target_step = 1};
  return tree_schedule(request, {.name = "chain", .iterations = request.ranks - 1, .rounds = {level(request, walk)}});
}

}  // namespace

std::vector<Algorithm> bcast_algorithms() {
  return {
      {Collective::kBcast, "linear", "the root sends to every other rank, in rank order", false, linear},
      {Collective::kBcast, "chain", "each rank passes the message to the next", true, chain},
      {Collective::kBcast, "binomial", "in each round every rank that has the message passes it on", true, binomial},
  };
}

}  // namespace postage
