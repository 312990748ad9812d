#include "schedule/algorithms/families.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/tree_file.hpp>

#include <fmt/format.h>

namespace postage {

TreeDirections tree_directions(Collective collective) {
  switch (collective) {
    case Collective::kBcast:
    case Collective::kScatter:
      return {.down = true};
    case Collective::kReduce:
    case Collective::kGather:
      return {.up = true};
    case Collective::kAllgather:
      return {.up = true, .down = true};
    default:
      throw UsageError(fmt::format(
          "{} does not go along trees of any form; bcast, reduce, scatter, scatterv, gather, gatherv, allgather and "
          "allgatherv do",
          name_of(collective)));
  }
}

void check_tree_request(Collective collective, const ScheduleRequest& request) {
  static_cast<void>(tree_directions(collective));
  check_request(collective, request);
}

Schedule schedule_along(const CollectiveTree& tree) {
  Schedule schedule = [&] {
    switch (tree.collective) {
      case Collective::kBcast:
        return bcast_along_tree(tree.request, tree.down);
      case Collective::kScatter:
        return scatter_along_tree(tree.request, tree.down);
      case Collective::kReduce:
        return reduce_along_tree(tree.request, tree.up);
      case Collective::kGather:
        return gather_along_tree(tree.request, tree.up);
      default:
        static_cast<void>(tree_directions(tree.collective));
        return allgather_along_trees(tree.request, tree.up, tree.down);
    }
  }();
  schedule.algorithm = "tree";
  return schedule;
}

}  // namespace postage
