#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/mapping.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace postage {
namespace {

/// As many as --nodes and --per-node take.
constexpr std::int32_t kMostNodes = 1 << 24;
constexpr std::int32_t kMostSlots = 1 << 16;

}  // namespace

Mapping Mapping::block(std::int32_t nodes, std::int32_t per_node) {
  if (nodes < 1 || per_node < 1) {
    throw UsageError(
        fmt::format("a mapping needs at least 1 node and 1 rank on a node, not {} and {}", nodes, per_node));
  }
  Mapping mapping;
  mapping.nodes_ = nodes;
  mapping.per_node_ = per_node;
  return mapping;
}

Mapping Mapping::cyclic(std::int32_t nodes, std::int32_t per_node) {
  Mapping mapping = block(nodes, per_node);
  mapping.kind_ = Kind::kCyclic;
  return mapping;
}

Mapping Mapping::explicit_placements(std::vector<RankPlacement> placements) {
  Mapping mapping;
  mapping.kind_ = Kind::kExplicit;
  mapping.nodes_ = 0;
  mapping.per_node_ = 0;
  for (const RankPlacement& placement : placements) {
    mapping.nodes_ = std::max(mapping.nodes_, placement.node + 1);
    mapping.per_node_ = std::max(mapping.per_node_, placement.core + 1);
  }
  mapping.placements_ = std::move(placements);
  return mapping;
}

Mapping Mapping::from_file(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::vector<RankPlacement> placements;
  std::map<std::pair<int, int>, int> line_of;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    RankPlacement placement;
    std::string rest;
    if (!(words >> std::ws) || words.eof()) {
      continue;
    }
    if (!(words >> placement.node >> placement.core) || (words >> rest) || placement.node < 0 || placement.core < 0 ||
        placement.node >= kMostNodes || placement.core >= kMostSlots) {
      throw UsageError(fmt::format("{}:{}: '{}' is not 'NODE SLOT', two numbers from 0 to {} and to {}", path, number,
                                   line, kMostNodes - 1, kMostSlots - 1));
    }
    const auto [taken, is_free] = line_of.try_emplace({placement.node, placement.core}, number);
    if (!is_free) {
      throw UsageError(
          fmt::format("{}:{}: slot {} of node {} is taken since line {}; give every rank a slot of its own", path,
                      number, placement.core, placement.node, taken->second));
    }
    placements.push_back(placement);
  }
  if (placements.empty()) {
    throw UsageError(fmt::format("{} names no rank; write one line 'NODE SLOT' for each rank", path));
  }
  return explicit_placements(std::move(placements));
}

std::int64_t Mapping::capacity() const {
  return kind_ == Kind::kExplicit ? static_cast<std::int64_t>(placements_.size()) : std::int64_t{nodes_} * per_node_;
}

RankPlacement Mapping::placement_of(std::int32_t rank) const {
  switch (kind_) {
    case Kind::kBlock:
      return {rank / per_node_, rank % per_node_};
    case Kind::kCyclic:
      return {rank % nodes_, rank / nodes_};
    case Kind::kExplicit:
      break;
  }
  return placements_[static_cast<std::size_t>(rank)];
}

}  // namespace postage
