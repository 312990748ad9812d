#include <postage/base/error.hpp>
#include <postage/job/placement.hpp>

#include <fmt/format.h>

#include <vector>

namespace postage {

std::optional<Mapping> given_mapping(const MappingOptions& options) {
  const bool is_file = !options.mapping.empty() && options.mapping != "block" && options.mapping != "cyclic";
  if (is_file) {
    return Mapping::from_file(options.mapping);
  }
  if (options.nodes == 0 && options.per_node == 0) {
    if (!options.mapping.empty()) {
      throw UsageError(fmt::format("--mapping {} needs --nodes and --per-node", options.mapping));
    }
    return std::nullopt;
  }
  if (options.nodes < 1 || options.per_node < 1) {
    throw UsageError("give both --nodes and --per-node, each at least 1");
  }
  return options.mapping == "cyclic" ? Mapping::cyclic(options.nodes, options.per_node)
                                     : Mapping::block(options.nodes, options.per_node);
}

NodeParts parts_of(const NodeAwareOptions& options) {
  if (options.within.empty() || options.among.empty()) {
    throw UsageError("give both --within and --among: an algorithm within nodes and one among their leaders");
  }
  const std::size_t comma = options.within.find(',');
  const std::string down = comma == std::string::npos ? options.within : options.within.substr(comma + 1);
  return {.up = {options.within.substr(0, comma)}, .across = {options.among}, .down = {down}};
}

void check_capacity(const Mapping& mapping, Rank ranks) {
  if (mapping.capacity() < ranks) {
    throw UsageError(fmt::format("the mapping has cores for {} ranks, but P is {}: {}", mapping.capacity(), ranks,
                                 mapping.kind() == Mapping::Kind::kExplicit
                                     ? "map more ranks, with --nodes and --per-node"
                                     : "raise --nodes or --per-node"));
  }
}

NodeMap node_map_of(const Mapping& mapping, Rank ranks) {
  check_capacity(mapping, ranks);
  switch (mapping.kind()) {
    case Mapping::Kind::kBlock:
      return NodeMap::block(ranks, mapping.per_node());
    case Mapping::Kind::kCyclic:
      return NodeMap::cyclic(ranks, mapping.nodes());
    case Mapping::Kind::kExplicit:
      break;
  }
  std::vector<Index> labels;
  labels.reserve(static_cast<std::size_t>(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    labels.push_back(mapping.placement_of(rank).node);
  }
  return NodeMap::listed(labels);
}

}  // namespace postage
