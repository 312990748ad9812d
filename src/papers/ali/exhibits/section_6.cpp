#include "papers/builtin_papers.hpp"

#include <postage/platform/levels.hpp>
#include <postage/predict/formulas/ali.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

namespace postage::ali_paper {
namespace {

namespace cell = closed_form::cell;

constexpr const char* kClusterLevels = "shared-cache:8,inter-socket:16,inter-node";
constexpr const char* kClusterParameters =
    "[shared-cache] L=16:.311us;65552:3.784408us,g=.1us [inter-socket] L=16:.577us;65552:9.162216us,g=.2us "
    "[inter-node] L=16:7.3us;65552:72.836us,g=1us";
constexpr const char* kRoadrunnerLevels = "eib:8,bif:16,pcie:32,infiniband";
constexpr const char* kRoadrunnerParameters =
    "[eib] L=.311us,g=.1us [bif] L=.577us,g=.2us [pcie] L=3.1us,g=.4us [infiniband] L=7.3us,g=1us";

cell::Blade section_6_blade() {
  return {.chip = {.latency = CostCurve::constant(.311e-6)}, .across = {.latency = CostCurve::constant(.577e-6)}};
}

CellPLogPLink link_with(Seconds latency, Seconds gap) {
  return {.latency = CostCurve::constant(latency), .gap = CostCurve::constant(gap)};
}

CellPLogPLink host_link() {
  return link_with(.83e-6, .067e-6);
}

/// Four nodes of elements whose channels are levels.
Seconds by_levels(Collective collective, std::string_view algorithm, Bytes bytes, Rank per_node, const char* parameters,
                  const char* levels) {
  const ParameterTable table = parse_parameters("plogp-cell", parameters);
  const Platform platform = platform_of(table, 4, per_node, parse_levels(levels, per_node));
  const PlatformModel model(table, platform.channels, ChannelMap(platform, Mapping::block(4, per_node)));
  return predict(build_schedule(find_algorithm(collective, algorithm), {.ranks = 4 * per_node, .bytes = bytes}), model)
      .seconds;
}

Seconds on_cluster(Collective collective, std::string_view algorithm, Bytes bytes) {
  return by_levels(collective, algorithm, bytes, 16, kClusterParameters, kClusterLevels);
}

/// The printed formula for so many nodes, of which the blades' parameters are section 6.1's.
std::string cluster_command(const char* name, int nodes, int per_node, const char* levels, const char* beyond) {
  return fmt::format(
      "postage predict barrier --formula {} -P {} --nodes {} --per-node {} --model plogp-cell --levels {} --params "
      "'[eib] L=.311us,g=.1us [bif] L=.577us,g=.2us [ppe] L=.83us,g=.067us {}'",
      name, nodes * per_node, nodes, per_node, levels, beyond);
}

ExhibitResult cluster_of_blades(PaperContext&) {
  const Interval barrier = cell::cluster_barrier(section_6_blade(), host_link(), link_with(7.3e-6, 1.1e-6), 5);
  return {
      .rows = {number_row("barrier, N = 5, all overlapping: max{1.51, 0.897, 3 (7.3 + 1.1)} + 0.83 + 1.51 us", 27.54e-6,
                          barrier.lower, AxisUnit::kSeconds),
               number_row("barrier, N = 5, blades before nodes: 1.51 + 25.2 + 2.34 us", 29.05e-6, barrier.upper,
                          AxisUnit::kSeconds),
               number_row("levels, recursive doubling of 64: 3 L_1(1) + L_2(1) + 2 L_node(1)", 16.11e-6,
                          on_cluster(Collective::kBarrier, "recursive-doubling", 0), AxisUnit::kSeconds),
               number_row("levels, Bruck of 64: 6 L_node(1)", 43.8e-6,
                          on_cluster(Collective::kBarrier, "dissemination", 0), AxisUnit::kSeconds),
               number_row("levels, binomial-opt of 64: 3 A_1(m) + A_2(m) + 2 A_node(m), m = 1000", 34.47336e-6,
                          on_cluster(Collective::kBcast, "binomial-opt", 1000), AxisUnit::kSeconds)},
      .why =
          "For L_1(1) = 0.311 us, L_2(1) = 0.577 us, L_spe-ppe(1) = 0.83 us, g_spe-ppe(1) = 0.067 us, L_node(1) = 7.3 "
          "us, g_node(1) = 1.1 us. Of the levels L_node(m) = 7.3 us + 1 ns (m - 16), the others as in the tables, "
          "and A(m) = L(m) + L(1); there 64 SPEs signal each other on four blades without a PPE, as the evaluator "
          "has no level for it. The text has two maxima, which two formulas write: with and without the second."};
}

ExhibitResult roadrunner(PaperContext&) {
  return {.rows = {number_row("barrier, N = 8: 1.835 + 3.1 + 3 7.3 + 3.1 + 0.43 + 0.83 + 1.51 us", 32.705e-6,
                              cell::roadrunner_barrier(section_6_blade(), host_link(), link_with(3.1e-6, .43e-6),
                                                       link_with(7.3e-6, 0), 8),
                              AxisUnit::kSeconds),
                   number_row("levels, recursive doubling of 4 x 32: 3 L_1(1) + L_2(1) + L_3(1) + 2 L_4(1)", 19.21e-6,
                              by_levels(Collective::kBarrier, "recursive-doubling", 0, 32, kRoadrunnerParameters,
                                        kRoadrunnerLevels),
                              AxisUnit::kSeconds)},
          .why =
              "For the parameters of section 6.1, L_3(1) = 3.1 us, g_3(1) = 0.43 us, L_4(1) = 7.3 us; max{1.51, 0.83 "
              "+ 15 0.067} = 1.835 us. The levels join two blades of a node by PCI Express and nodes by Infiniband; "
              "their elements signal each other without PPE and Opteron."};
}

}  // namespace

Exhibits section_6() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "6.1",
           .caption = "a cluster of Cell blades",
           .where = {"src/predict/formulas/ali.cpp#cluster_barrier", "src/platform/levels.cpp"},
           .command = cluster_command("ali-barrier-cluster", 5, 16, "eib:8,bif:16,ppe:16,inter-node",
                                      "[inter-node] L=7.3us,g=1.1us"),
           .compute = cluster_of_blades},
          {.kind = ExhibitKind::kEquation,
           .number = "6.2",
           .caption = "Roadrunner's levels",
           .where = {"src/predict/formulas/ali.cpp#roadrunner_barrier", "src/platform/levels.cpp"},
           .command = cluster_command("ali-barrier-roadrunner", 8, 32, "eib:8,bif:16,ppe:16,pcie:32,infiniband",
                                      "[pcie] L=3.1us,g=.43us [infiniband] L=7.3us,g=0us"),
           .compute = roadrunner}};
}

}  // namespace postage::ali_paper
