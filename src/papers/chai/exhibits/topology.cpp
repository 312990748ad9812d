#include "papers/builtin_papers.hpp"

#include <postage/bench/pairs.hpp>

#include <fmt/format.h>

namespace postage::chai_paper {
namespace {

/// Figure 1: two sockets of four cores, two to a cache.
NodeTopology clovertown_node() {
  NodeTopology node;
  for (int core = 0; core < 8; ++core) {
    node.cores.push_back({.pu = core, .socket = core / 4, .cache = core / 2});
  }
  return node;
}

ExhibitResult figure_1(PaperContext&) {
  ExhibitResult result;
  for (const LocalityLevel level : kLocalityLevels) {
    result.rows.push_back(number_row(fmt::format("pairs at once, {}", name_of(level)), 4,
                                     static_cast<double>(pairs_at(clovertown_node(), level).size()),
                                     AxisUnit::kNumber));
  }
  result.why =
      "Section 3.1 has 4 pairs of the 8 cores communicate at once in each of the three cases; `postage bench --pairs "
      "LEVEL` chooses them so on any machine that hwloc knows.";
  return result;
}

ExhibitResult thresholds(PaperContext&) {
  const ThresholdTable table;
  const auto ours = [&](LocalityLevel level) { return static_cast<double>(table.of(level).single_copy); };
  return {.rows = {number_row("shared cache", 32 << 10, ours(LocalityLevel::kCache), AxisUnit::kBytes),
                   number_row("intra-socket", 2 << 10, ours(LocalityLevel::kSocket), AxisUnit::kBytes),
                   number_row("inter-socket", 1 << 10, ours(LocalityLevel::kMachine), AxisUnit::kBytes)},
          .why =
              "Single copy from this size on where nothing was measured. Between cores that share a cache our table "
              "differs: on the machines of docs/shared-memory.md single copy was slower there up to 16 MiB. "
              "`postage measure --shm` measures the table of a machine, and then this one is not used."};
}

}  // namespace

Exhibits topology() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "1",
           .caption = "the three locality levels of a node with two Clovertown processors",
           .where = {"src/bench/pairs.cpp#pairs_at", "src/platform/topology.cpp#channel_between"},
           .command = "postage doctor",
           .compute = figure_1},
          {.kind = ExhibitKind::kClaim,
           .number = "4.1",
           .caption = "topology-aware thresholds",
           .where = {"src/shm/protocols/thresholds.cpp#ThresholdTable::ThresholdTable"},
           .command = "postage measure --shm",
           .compute = thresholds}};
}

}  // namespace postage::chai_paper
