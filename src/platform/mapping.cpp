#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/mapping.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace postage {

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

Mapping Mapping::explicit_places(std::vector<RankPlace> places) {
  Mapping mapping;
  mapping.kind_ = Kind::kExplicit;
  mapping.nodes_ = 0;
  mapping.per_node_ = 0;
  for (const RankPlace& place : places) {
    mapping.nodes_ = std::max(mapping.nodes_, place.node + 1);
    mapping.per_node_ = std::max(mapping.per_node_, place.core + 1);
  }
  mapping.places_ = std::move(places);
  return mapping;
}

Mapping Mapping::from_file(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::vector<RankPlace> places;
  std::map<std::pair<int, int>, int> line_of;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    RankPlace place;
    std::string rest;
    if (!(words >> std::ws) || words.eof()) {
      continue;
    }
    if (!(words >> place.node >> place.core) || (words >> rest) || place.node < 0 || place.core < 0) {
      throw UsageError(fmt::format("{}:{}: '{}' is not 'NODE SLOT', two numbers of at least 0", path, number, line));
    }
    const auto [taken, is_free] = line_of.try_emplace({place.node, place.core}, number);
    if (!is_free) {
      throw UsageError(
          fmt::format("{}:{}: slot {} of node {} is taken since line {}; give every rank a place of its own", path,
                      number, place.core, place.node, taken->second));
    }
    places.push_back(place);
  }
  if (places.empty()) {
    throw UsageError(fmt::format("{} places no rank; write one line 'NODE SLOT' for each rank", path));
  }
  return explicit_places(std::move(places));
}

std::int64_t Mapping::capacity() const {
  return kind_ == Kind::kExplicit ? static_cast<std::int64_t>(places_.size()) : std::int64_t{nodes_} * per_node_;
}

RankPlace Mapping::place_of(std::int32_t rank) const {
  switch (kind_) {
    case Kind::kBlock:
      return {rank / per_node_, rank % per_node_};
    case Kind::kCyclic:
      return {rank % nodes_, rank / nodes_};
    case Kind::kExplicit:
      break;
  }
  return places_[static_cast<std::size_t>(rank)];
}

}  // namespace postage
