#include "measure/campaign/gathering.hpp"

#include "measure/messages.hpp"

#include <postage/platform/platform_json.hpp>
#include <postage/samples/samples_json.hpp>

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>

namespace postage {
namespace {

/// As many cores as ranks, in one socket: what a simulator's host looks like to its ranks.
NodeTopology simulated_topology(std::size_t ranks) {
  NodeTopology node;
  for (std::size_t i = 0; i < ranks; ++i) {
    node.cores.push_back({.pu = static_cast<int>(i)});
  }
  return node;
}

struct Presence {
  std::string host;
  int pu = -1;
  Json topology;
};

/// The core with hardware thread `pu`, or else the first one that nobody has, or else they share from the start.
int core_for(const NodeTopology& topology, int pu, const std::vector<int>& taken) {
  for (std::size_t core = 0; core < topology.cores.size(); ++core) {
    const bool wanted = pu >= 0 ? topology.cores[core].pu == pu
                                : std::find(taken.begin(), taken.end(), static_cast<int>(core)) == taken.end();
    if (wanted) {
      return static_cast<int>(core);
    }
  }
  return static_cast<int>(taken.size() % topology.cores.size());
}

RankPlacements place_ranks(const std::vector<Presence>& ranks, bool is_virtual) {
  RankPlacements placements;
  std::vector<std::vector<int>> taken;
  for (const Presence& rank : ranks) {
    auto node = std::find_if(placements.nodes.begin(), placements.nodes.end(),
                             [&](const Node& candidate) { return candidate.name == rank.host; });
    if (node == placements.nodes.end()) {
      const auto here = [&](const Presence& other) { return other.host == rank.host; };
      const auto count = static_cast<std::size_t>(std::count_if(ranks.begin(), ranks.end(), here));
      const Node seen =
          is_virtual ? Node{rank.host, simulated_topology(count)} : read_node(JsonField(rank.topology, rank.host));
      node = placements.nodes.insert(placements.nodes.end(), seen);
      taken.emplace_back();
    }
    const auto number = static_cast<std::size_t>(node - placements.nodes.begin());
    const int core = core_for(node->topology, rank.pu, taken[number]);
    taken[number].push_back(core);
    placements.ranks.push_back({static_cast<int>(number), core});
  }
  return placements;
}

/// What every rank has of something, as lists in JSON, on rank 0 in the order of ranks.
template <typename Item, typename Read>
std::vector<Item> gather_items(Transport& transport, const std::vector<Item>& own, const Read& read) {
  Json list = Json::array();
  for (const Item& item : own) {
    list.push_back(to_json(item));
  }
  std::vector<Item> all;
  const std::filesystem::path source = "a rank's measurements";
  for (const std::string& text : gather_texts(transport, list.dump())) {
    const Json received = Json::parse(text);
    JsonField(received, source).for_each_item([&](const JsonField& item) { all.push_back(read(item)); });
  }
  return all;
}

Json to_json(const RankPlacements& placements) {
  Json value{{"nodes", Json::array()}, {"ranks", Json::array()}};
  for (const Node& node : placements.nodes) {
    value["nodes"].push_back(to_json(node));
  }
  for (const RankPlacement& rank : placements.ranks) {
    value["ranks"].push_back(to_json(rank));
  }
  return value;
}

RankPlacements read_placements(const std::string& text) {
  const Json received = Json::parse(text);
  const std::filesystem::path source = "rank 0's placements";
  const JsonField field(received, source);
  RankPlacements placements;
  field["nodes"].for_each_item([&](const JsonField& node) { placements.nodes.push_back(read_node(node)); });
  field["ranks"].for_each_item([&](const JsonField& place) { placements.ranks.push_back(read_placement(place)); });
  return placements;
}

}  // namespace

std::vector<Measurement> gather_measurements(Transport& transport, const std::vector<Measurement>& own) {
  ExperimentReader experiment;
  return gather_items(transport, own, [&](const JsonField& item) { return read_measurement(item, experiment); });
}

std::vector<Control> gather_controls(Transport& transport, const std::vector<Control>& own) {
  ExperimentReader experiment;
  return gather_items(transport, own, [&](const JsonField& item) { return read_control(item, experiment); });
}

std::vector<Experiment> gather_experiments(Transport& transport, const std::vector<Experiment>& own) {
  ExperimentReader experiment;
  return gather_items(transport, own, [&](const JsonField& item) { return experiment(item); });
}

RankPlacements find_placements(Transport& transport) {
  const std::string host = transport.host();
  const Json own{{"host", host},
                 {"pu", transport.bound_pu()},
                 {"node", to_json(Node{host, transport.is_virtual() ? NodeTopology{} : discover_topology()})}};
  std::vector<Presence> ranks;
  for (const std::string& text : gather_texts(transport, own.dump())) {
    Json received = Json::parse(text);
    ranks.push_back({received["host"].text(), static_cast<int>(received["pu"].integer()), std::move(received["node"])});
  }
  return read_placements(share_text(transport, to_json(place_ranks(ranks, transport.is_virtual())).dump()));
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace postage
