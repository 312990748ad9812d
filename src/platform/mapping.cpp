#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/mapping.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace postage {
namespace {

std::optional<int> whole_number(const std::string& word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = error == std::errc{} && end == word.data() + word.size() && number >= 0;
  return whole ? std::optional(number) : std::nullopt;
}

// Nothing for a line of blanks and comment.
std::optional<RankPlace> parse_place(const std::string& line, const std::string& where) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string node;
  std::string slot;
  std::string more;
  if (!(words >> node)) {
    return std::nullopt;
  }
  words >> slot >> more;
  const auto node_number = whole_number(node);
  const auto slot_number = whole_number(slot);
  if (!node_number || !slot_number || !more.empty()) {
    throw UsageError(fmt::format(
        "{}: '{}' is not a rank's place; write its node and slot as two numbers from 0, like '3 0'", where, line));
  }
  return RankPlace{.node = *node_number, .core = *slot_number};
}

void check_counts(std::int32_t nodes, std::int32_t per_node) {
  if (nodes < 1 || per_node < 1) {
    throw UsageError(
        fmt::format("a mapping needs at least 1 node and 1 rank on a node, not {} and {}", nodes, per_node));
  }
}

}  // namespace

Mapping Mapping::block(std::int32_t nodes, std::int32_t per_node) {
  check_counts(nodes, per_node);
  Mapping mapping;
  mapping.kind_ = Kind::kBlock;
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
  if (places.empty()) {
    throw UsageError("a mapping needs a place for at least one rank");
  }
  Mapping mapping;
  mapping.kind_ = Kind::kExplicit;
  for (const RankPlace& place : places) {
    if (place.node < 0 || place.core < 0) {
      throw UsageError(fmt::format("a rank cannot sit on node {}, slot {}: both count from 0", place.node, place.core));
    }
    mapping.nodes_ = std::max(mapping.nodes_, place.node + 1);
    mapping.per_node_ = std::max(mapping.per_node_, place.core + 1);
  }
  mapping.places_ = std::move(places);
  return mapping;
}

Mapping Mapping::from_file(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::vector<RankPlace> places;
  std::map<std::pair<int, int>, int> line_of_place;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}, line {}", path, ++number);
    const auto place = parse_place(line, where);
    if (!place) {
      continue;
    }
    const auto [taken, is_new] = line_of_place.try_emplace({place->node, place->core}, number);
    if (!is_new) {
      throw UsageError(fmt::format("{}: slot {} of node {} is taken since line {}; give every rank a place of its own",
                                   where, place->core, place->node, taken->second));
    }
    places.push_back(*place);
  }
  if (places.empty()) {
    throw UsageError(fmt::format("{} places no rank; write one line 'NODE SLOT' a rank", path));
  }
  return explicit_places(std::move(places));
}

std::int64_t Mapping::capacity() const {
  return kind_ == Kind::kExplicit ? static_cast<std::int64_t>(places_.size()) : std::int64_t{nodes_} * per_node_;
}

RankPlace Mapping::place_of(std::int32_t rank) const {
  if (rank < 0 || rank >= capacity()) {
    throw Error(fmt::format("the mapping has no place for rank {}: it holds {} ranks", rank, capacity()));
  }
  switch (kind_) {
    case Kind::kBlock:
      return {.node = rank / per_node_, .core = rank % per_node_};
    case Kind::kCyclic:
      return {.node = rank % nodes_, .core = rank / nodes_};
    case Kind::kExplicit:
      break;
  }
  return places_[static_cast<std::size_t>(rank)];
}

ChannelMap::ChannelMap(const Platform& platform, Mapping mapping)
    : mapping_(std::move(mapping)), channels_(platform.channels) {
  if (platform.nodes.empty()) {
    throw Error(fmt::format("platform '{}' has no nodes to place ranks on", platform.name));
  }
  for (const Node& node : platform.nodes) {
    nodes_.push_back(node.topology);
  }
  check_slots(platform);
}

void ChannelMap::check_slots(const Platform& platform) const {
  const auto check = [&](int node, int slots) {
    const Node& used = platform.nodes[static_cast<std::size_t>(node) % platform.nodes.size()];
    if (static_cast<std::size_t>(slots) > used.topology.cores.size()) {
      throw Error(fmt::format("the mapping uses {} slots of node {}, but node '{}' of platform '{}' has {}", slots,
                              node, used.name, platform.name, used.topology.cores.size()));
    }
  };
  if (mapping_.kind() == Mapping::Kind::kExplicit) {
    for (std::int32_t rank = 0; rank < mapping_.capacity(); ++rank) {
      const RankPlace place = mapping_.place_of(rank);
      check(place.node, place.core + 1);
    }
    return;
  }
  for (int node = 0; node < mapping_.nodes() && static_cast<std::size_t>(node) < platform.nodes.size(); ++node) {
    check(node, mapping_.per_node());
  }
}

ChannelMap ChannelMap::single_channel() {
  ChannelMap map;
  map.single_ = true;
  map.mapping_ = Mapping::block(std::numeric_limits<std::int32_t>::max(), 1);
  return map;
}

std::uint8_t ChannelMap::channel_of(std::int32_t a, std::int32_t b) const {
  if (single_) {
    return 0;
  }
  const RankPlace at = mapping_.place_of(a);
  const RankPlace to = mapping_.place_of(b);
  const char* name = kInterNode;
  if (at.node == to.node) {
    const auto& cores = nodes_[static_cast<std::size_t>(at.node) % nodes_.size()].cores;
    name = channel_between(cores[static_cast<std::size_t>(at.core)], cores[static_cast<std::size_t>(to.core)]);
  }
  const auto found = std::ranges::find(channels_, std::string_view(name));
  if (found == channels_.end()) {
    throw Error(fmt::format("ranks {} and {} talk over channel {}, of which the platform knows nothing; it has {}", a,
                            b, name, channels_.empty() ? "none" : fmt::to_string(fmt::join(channels_, ", "))));
  }
  return static_cast<std::uint8_t>(found - channels_.begin());
}

}  // namespace postage
