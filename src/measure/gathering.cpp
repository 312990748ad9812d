#include "measure/gathering.hpp"

#include "measure/samples_json.hpp"
#include "platform/platform_json.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>

namespace postage {
namespace {

using nlohmann::json;

constexpr int kTextTag = 21;

/// Every rank's text on rank 0; empty elsewhere.
std::vector<std::string> gather_texts(Transport& transport, const std::string& own) {
  std::vector<std::string> texts;
  if (transport.rank() != 0) {
    const std::uint64_t length = own.size();
    transport.send(std::as_bytes(std::span(&length, 1)), 0, kTextTag);
    transport.send(std::as_bytes(std::span(own)), 0, kTextTag);
    return texts;
  }
  texts.push_back(own);
  for (std::int32_t rank = 1; rank < transport.size(); ++rank) {
    std::uint64_t length = 0;
    transport.receive(std::as_writable_bytes(std::span(&length, 1)), rank, kTextTag);
    std::string text(length, '\0');
    transport.receive(std::as_writable_bytes(std::span(text)), rank, kTextTag);
    texts.push_back(std::move(text));
  }
  return texts;
}

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
  json topology;
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

void place_ranks(const std::vector<Presence>& ranks, SampleSet& samples) {
  std::vector<std::vector<int>> taken;
  for (const Presence& rank : ranks) {
    auto node = std::find_if(samples.nodes.begin(), samples.nodes.end(),
                             [&](const Node& candidate) { return candidate.name == rank.host; });
    if (node == samples.nodes.end()) {
      const auto here = [&](const Presence& other) { return other.host == rank.host; };
      const auto count = static_cast<std::size_t>(std::count_if(ranks.begin(), ranks.end(), here));
      const Node seen = samples.is_virtual ? Node{rank.host, simulated_topology(count)}
                                           : read_node(JsonField(rank.topology, rank.host));
      node = samples.nodes.insert(samples.nodes.end(), seen);
      taken.emplace_back();
    }
    const auto number = static_cast<std::size_t>(node - samples.nodes.begin());
    const int core = core_for(node->topology, rank.pu, taken[number]);
    taken[number].push_back(core);
    samples.ranks.push_back({static_cast<int>(number), core});
  }
}

}  // namespace

std::vector<Measurement> gather_measurements(Transport& transport, const std::vector<Measurement>& own) {
  json list = json::array();
  for (const Measurement& measurement : own) {
    list.push_back(to_json(measurement));
  }
  std::vector<Measurement> all;
  const std::filesystem::path source = "a rank's measurements";
  for (const std::string& text : gather_texts(transport, list.dump())) {
    const json received = json::parse(text);
    JsonField(received, source).for_each_item([&](const JsonField& item) { all.push_back(read_measurement(item)); });
  }
  return all;
}

void gather_places(Transport& transport, SampleSet& samples) {
  const std::string host = transport.host();
  const json own{{"host", host},
                 {"pu", transport.bound_pu()},
                 {"node", to_json(Node{host, transport.is_virtual() ? NodeTopology{} : discover_topology()})}};
  std::vector<Presence> ranks;
  for (const std::string& text : gather_texts(transport, own.dump())) {
    json received = json::parse(text);
    ranks.push_back({received["host"].get<std::string>(), received["pu"].get<int>(), std::move(received["node"])});
  }
  place_ranks(ranks, samples);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace postage
