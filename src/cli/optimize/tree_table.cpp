#include "cli/optimize/tree_text.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::size_t depth_of(const ExplicitTree& tree) {
  std::size_t depth = 0;
  for (Rank rank = 0; rank < static_cast<Rank>(tree.parents.size()); ++rank) {
    std::size_t above = 0;
    for (Rank at = rank; tree.parents[static_cast<std::size_t>(at)] != -1;
         at = tree.parents[static_cast<std::size_t>(at)]) {
      ++above;
    }
    depth = std::max(depth, above);
  }
  return depth;
}

/// Of a tree in one direction, or of both of an allgather.
std::string depths_of(const CollectiveTree& tree) {
  const TreeDirections directions = tree_directions(tree.collective);
  if (directions.up && directions.down) {
    return fmt::format("{} + {}", depth_of(tree.up), depth_of(tree.down));
  }
  return fmt::format("{}", depth_of(directions.up ? tree.up : tree.down));
}

std::string time_of(const Prediction& prediction) {
  return format_seconds(prediction.seconds) + (prediction.may_escalate() ? ", may escalate" : "");
}

}  // namespace

std::string candidates_text(const std::vector<TreeCandidate>& candidates) {
  using enum Table::Align;
  Table table({{"tree"}, {"time", kRight}, {"depth", kRight}, {"segments", kRight}});
  for (const TreeCandidate& one : candidates) {
    const Bytes segment = one.tree.request.segment_bytes;
    table.add_row({std::string(name_of(one.method)), time_of(one.prediction), depths_of(one.tree),
                   segment > 0 ? format_bytes(segment) : "whole"});
  }
  return table.render(output_width());
}

Json candidates_json(const std::vector<TreeCandidate>& candidates) {
  Json rows = Json::array();
  for (const TreeCandidate& one : candidates) {
    const TreeDirections directions = tree_directions(one.tree.collective);
    Json row{{"method", name_of(one.method)},
             {"seconds", one.prediction.seconds},
             {"lower", one.prediction.lower},
             {"upper", one.prediction.upper},
             {"may_escalate", one.prediction.may_escalate()},
             {"root", one.tree.request.root},
             {"segment_bytes", one.tree.request.segment_bytes}};
    if (directions.up) {
      row["up"] = Json(one.tree.up.parents);
    }
    if (directions.down) {
      row["down"] = Json(one.tree.down.parents);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace postage
