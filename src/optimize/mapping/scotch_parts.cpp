#include "optimize/mapping/scotch_parts.hpp"

#include <postage/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

// Scotch's header needs the two above it.
#include <scotch/scotch.h>

namespace postage {
namespace {

/// Weights become whole numbers up to this one, whose sums Scotch's 32 bits hold.
constexpr double kLargestWeight = 10'000;
constexpr double kLargestSum = 1e9;

void check(int failed, const char* what) {
  if (failed != 0) {
    throw Error(std::string("Scotch failed to ") + what);
  }
}

/// A graph as Scotch reads it: neighbours of each vertex, one after the other.
struct NeighbourLists {
  std::vector<SCOTCH_Num> first;
  std::vector<SCOTCH_Num> neighbours;
  std::vector<SCOTCH_Num> weights;
};

NeighbourLists neighbour_lists(Rank vertices, const std::vector<CommunicationEdge>& edges) {
  NeighbourLists lists;
  lists.first.assign(static_cast<std::size_t>(vertices) + 1, 0);
  double largest = 0;
  for (const CommunicationEdge& edge : edges) {
    ++lists.first[static_cast<std::size_t>(edge.low) + 1];
    ++lists.first[static_cast<std::size_t>(edge.high) + 1];
    largest = std::max(largest, edge.weight);
  }
  for (std::size_t i = 1; i < lists.first.size(); ++i) {
    lists.first[i] += lists.first[i - 1];
  }
  const double most =
      std::min(kLargestWeight, kLargestSum / std::max<double>(1, 2 * static_cast<double>(edges.size())));
  lists.neighbours.resize(2 * edges.size());
  lists.weights.resize(2 * edges.size());
  std::vector<SCOTCH_Num> next(lists.first.begin(), lists.first.end() - 1);
  for (const CommunicationEdge& edge : edges) {
    const auto weight =
        static_cast<SCOTCH_Num>(std::max(1.0, largest > 0 ? std::round(edge.weight / largest * most) : 1.0));
    for (const auto& [from, to] : {std::pair(edge.low, edge.high), std::pair(edge.high, edge.low)}) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
      lists.neighbours[at] = to;
      lists.weights[at] = weight;
    }
  }
  return lists;
}

/// One thread and a fixed seed: the same parts on every call.
class SameEveryTime {
 public:
  SameEveryTime() {
    check(SCOTCH_contextInit(&context_), "start");
    const int one_thread = SCOTCH_contextThreadSpawn(&context_, 1, nullptr);
    check(one_thread, "start a thread");
    check(SCOTCH_contextOptionSetNum(&context_, SCOTCH_OPTIONNUMDETERMINISTIC, 1), "be deterministic");
    SCOTCH_contextRandomSeed(&context_, 1);
    SCOTCH_contextRandomReset(&context_);
  }
  ~SameEveryTime() { SCOTCH_contextExit(&context_); }
  SameEveryTime(const SameEveryTime&) = delete;
  SameEveryTime& operator=(const SameEveryTime&) = delete;

  SCOTCH_Context* get() { return &context_; }

 private:
  SCOTCH_Context context_{};
};

void build_architecture(SCOTCH_Arch& architecture, const PartsAsked& asked) {
  if (!asked.torus.empty()) {
    const std::vector<SCOTCH_Num> lengths(asked.torus.begin(), asked.torus.end());
    check(SCOTCH_archTorusX(&architecture, static_cast<SCOTCH_Num>(lengths.size()), lengths.data()), "build a torus");
    return;
  }
  const std::vector<SCOTCH_Num> sizes(asked.sizes.begin(), asked.sizes.end());
  check(SCOTCH_archCmpltw(&architecture, static_cast<SCOTCH_Num>(sizes.size()), sizes.data()), "build parts");
}

}  // namespace

std::vector<int> scotch_parts(Rank vertices, const std::vector<CommunicationEdge>& edges, const PartsAsked& asked) {
  const NeighbourLists lists = neighbour_lists(vertices, edges);
  SameEveryTime context;
  SCOTCH_Graph plain{};
  SCOTCH_Graph graph{};
  SCOTCH_Arch architecture{};
  SCOTCH_Strat strategy{};
  SCOTCH_graphInit(&plain);
  SCOTCH_graphInit(&graph);
  SCOTCH_archInit(&architecture);
  SCOTCH_stratInit(&strategy);
  std::vector<SCOTCH_Num> parts(static_cast<std::size_t>(vertices), 0);
  check(SCOTCH_graphBuild(&plain, 0, vertices, lists.first.data(), nullptr, nullptr, nullptr,
                          static_cast<SCOTCH_Num>(lists.neighbours.size()), lists.neighbours.data(),
                          lists.weights.data()),
        "read the communication");
  check(SCOTCH_contextBindGraph(context.get(), &plain, &graph), "bind the communication");
  build_architecture(architecture, asked);
  check(SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE | SCOTCH_STRATRECURSIVE,
                                  static_cast<SCOTCH_Num>(asked.sizes.size()), 0.01),
        "choose a strategy");
  check(SCOTCH_graphMap(&graph, &architecture, &strategy, parts.data()), "map the communication");
  SCOTCH_stratExit(&strategy);
  SCOTCH_archExit(&architecture);
  SCOTCH_graphExit(&graph);
  SCOTCH_graphExit(&plain);
  return {parts.begin(), parts.end()};
}

void balance_parts(std::vector<int>& part_of, const std::vector<CommunicationEdge>& edges,
                   const std::vector<int>& sizes) {
  std::vector<int> room = sizes;
  for (const int part : part_of) {
    --room[static_cast<std::size_t>(part)];
  }
  std::vector<std::vector<std::pair<std::size_t, double>>> partners(part_of.size());
  for (const CommunicationEdge& edge : edges) {
    partners[static_cast<std::size_t>(edge.low)].emplace_back(edge.high, edge.weight);
    partners[static_cast<std::size_t>(edge.high)].emplace_back(edge.low, edge.weight);
  }
  const auto towards = [&](std::size_t vertex, int part) {
    double sum = 0;
    for (const auto& [partner, weight] : partners[vertex]) {
      sum += part_of[partner] == part ? weight : 0;
    }
    return sum;
  };
  for (std::size_t part = 0; part < room.size(); ++part) {
    while (room[part] > 0) {
      std::size_t best = part_of.size();
      double most = 0;
      for (std::size_t vertex = 0; vertex < part_of.size(); ++vertex) {
        if (room[static_cast<std::size_t>(part_of[vertex])] >= 0) {
          continue;
        }
        const double gain = towards(vertex, static_cast<int>(part)) - towards(vertex, part_of[vertex]);
        if (best == part_of.size() || gain > most) {
          best = vertex;
          most = gain;
        }
      }
      if (best == part_of.size()) {
        break;  // fewer vertices than slots: this part stays with room
      }
      ++room[static_cast<std::size_t>(part_of[best])];
      part_of[best] = static_cast<int>(part);
      --room[part];
    }
  }
}

}  // namespace postage
