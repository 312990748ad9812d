#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/jobs.hpp"

#include <fmt/format.h>

namespace postage::rico_gallego_paper {
namespace {

constexpr std::string_view kRings =
    "[shared-cache] o=0,n=2,L=64K/1:10us;64K/7:35us;64K/8:40us "
    "[inter-node] o=0,n=1,n@shared-cache=2,L=64K/1:60us;64K/8:240us";
constexpr std::string_view kTwoLevels = "[shared-cache] L=1us,o=0.5us,g=0,G=1ns [inter-node] L=10us,o=2us,g=0,G=2ns";

/// M = 4 nodes of Q = 8, 64K from each rank, 31 stages.
Seconds ring(Seconds (*time)(std::string_view, std::string_view, const FormulaJob&), std::string_view name,
             const Mapping& mapping, Bytes bytes = 65536) {
  const bool is_loggp = name.ends_with("eq5") || name.ends_with("eq6");
  const PlatformModel platform = on_nodes(is_loggp ? "loggph" : "taulop", is_loggp ? kTwoLevels : kRings, mapping);
  const auto ranks = static_cast<Rank>(mapping.capacity());
  return time("allgather", name, {.platform = platform, .ranks = ranks, .bytes = bytes});
}

PaperRow by_hand(const std::string& what, Seconds stage, Seconds found) {
  return number_row(what, 31 * stage, found, AxisUnit::kSeconds);
}

ExhibitResult equation_5(PaperContext&) {
  return {.rows = {by_hand("31 [(1 + 1 + 65.535) + (10 + 4 + 131.070)] us", 212.605e-6,
                           ring(formula, "rico-gallego-eq5", Mapping::block(4, 8)))},
          .why = "For m = 64K, L = 1, o = 0.5 us, G = 1 ns, L' = 10, o' = 2 us, G' = 2 ns, M = 4, Q = 8."};
}

ExhibitResult equation_6(PaperContext&) {
  return {.rows = {by_hand("31 * 2 (10 + 4 + 131.070) us", 290.14e-6,
                           ring(formula, "rico-gallego-eq6", Mapping::cyclic(4, 8)))},
          .why = "For the same parameters."};
}

constexpr const char* kTransfers =
    "For L0(m,1) = 10, L0(m,7) = 35, L0(m,8) = 40, L1(m,1) = 60 and L1(m,8) = 240 us, M = 4, Q = 8. ";

ExhibitResult equation_7(PaperContext&) {
  const Mapping block = Mapping::block(4, 8);
  return {.rows = {by_hand("31 (40 + 60 + 10) us", 110e-6, ring(formula, "rico-gallego-eq7", block)),
                   by_hand("before the smaller of the two is dropped: 31 (40 + max{35, 60} + 10) us", 110e-6,
                           ring(formula, "rico-gallego-eq7-max", block)),
                   by_hand("the evaluator", 110e-6, ring(evaluator, "rico-gallego-eq7", block)),
                   by_hand("message by message, Q || T0 + 1 || T1: 31 (80 + 10 + 60 + 10) us", 160e-6,
                           ring(formula, "rico-gallego-sequential", block))},
          .why = std::string(kTransfers) +
                 "The sum of messages before eq. 7 counts a rank's message within the node and one through the network "
                 "one after the other; eq. 7 lets them overlap."};
}

ExhibitResult equation_8(PaperContext&) {
  const Mapping cyclic = Mapping::cyclic(4, 8);
  return {.rows = {by_hand("31 (40 + 240 + 40) us", 320e-6, ring(formula, "rico-gallego-eq8", cyclic)),
                   by_hand("the evaluator", 320e-6, ring(evaluator, "rico-gallego-eq8", cyclic)),
                   by_hand("message by message, Q || (T1 + T1): 31 * 2 (40 + 240 + 40) us", 640e-6,
                           ring(formula, "rico-gallego-round-robin", cyclic))},
          .why = std::string(kTransfers) + "Q || (T1 + T1) is twice eq. 8 (see the misprints)."};
}

ExhibitResult blind_to_ranks_on_a_node(PaperContext&) {
  const auto of = [](std::string_view name, int per_node, bool block) {
    return ring(formula, name,
                block ? Mapping::block(32 / per_node, per_node) : Mapping::cyclic(32 / per_node, per_node));
  };
  const double sequential = of("rico-gallego-eq5", 8, true) / of("rico-gallego-eq5", 4, true);
  const double round_robin = of("rico-gallego-eq6", 8, false) / of("rico-gallego-eq6", 4, false);
  const Bytes large = Bytes{1} << 30;
  const double doubled = ring(formula, "rico-gallego-eq6", Mapping::cyclic(4, 8), large) /
                         ring(formula, "rico-gallego-eq5", Mapping::block(4, 8), large);
  return {
      .rows = {number_row("eq. 5 for Q = 8 over Q = 4, P = 32", 1, sequential, AxisUnit::kNumber),
               number_row("eq. 6 for Q = 8 over Q = 4, P = 32", 1, round_robin, AxisUnit::kNumber),
               number_row("eq. 6 over eq. 5, m = 1G: 2 G' / (G + G')", 4. / 3, doubled, AxisUnit::kNumber)},
      .why = "\"Nearly doubling the sequential mapping cost\" is the limit for G much smaller than G'; here G' = 2 G."};
}

Exhibit equation(std::string number, std::string caption, std::string name, std::string_view model,
                 std::string_view parameters, const char* mapping, ExhibitResult (*compute)(PaperContext&)) {
  return {
      .kind = ExhibitKind::kEquation,
      .number = number,
      .caption = std::move(caption),
      .where = {"src/predict/formulas/rico_gallego.cpp#" + name, "src/schedule/algorithms/allgather.cpp#ring"},
      .command = formula_command("allgather", "rico-gallego-eq" + number,
                                 fmt::format("--nodes 4 --per-node 8 --mapping {} -m 64K", mapping), model, parameters),
      .compute = compute};
}

}  // namespace

Exhibits section_5() {
  return {equation("5", "ring allgather by LogGPH, sequential mapping", "sequential_ring_allgather", "loggph",
                   kTwoLevels, "block", equation_5),
          equation("6", "ring allgather by LogGPH, round-robin mapping", "round_robin_ring_allgather", "loggph",
                   kTwoLevels, "cyclic", equation_6),
          equation("7", "ring allgather by tau-Lop, sequential mapping", "sequential_ring_as_printed", "taulop", kRings,
                   "block", equation_7),
          equation("8", "ring allgather by tau-Lop, round-robin mapping", "round_robin_ring_allgather", "taulop",
                   kRings, "cyclic", equation_8),
          {.kind = ExhibitKind::kClaim,
           .number = "5-loggp",
           .caption = "LogGP's costs are independent of Q, and round robin's nearly double",
           .where = {"src/predict/formulas/rico_gallego.cpp#round_robin_ring_allgather"},
           .compute = blind_to_ranks_on_a_node}};
}

}  // namespace postage::rico_gallego_paper
