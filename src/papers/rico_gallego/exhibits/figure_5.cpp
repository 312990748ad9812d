#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/simulated.hpp"

#include <fmt/format.h>

namespace postage::rico_gallego_paper {
namespace {

constexpr Bytes kBlock = 8192;
constexpr Bytes kPiece = 2048;

/// 128 Itanium 2 cores in 16 UMA nodes ("similar intra-UMA and inter-UMA communication channels performance"). A bus of
/// 8.5 GB/s serves four of them, 32 in all; a core's copy moves three bytes over its bus for each that it copies (read,
/// fetch for writing, write back). What passes from one core's cache to another's shares all buses.
VirtualMachine lusitania(double shared_bandwidth) {
  constexpr double kCopy = 8.5e9 / 3;
  return {.name = "lusitania",
          .title = "128 cores of one node",
          .nodes = 1,
          .per_node = 128,
          .card_bandwidth = 1e9,
          .card_latency = 1e-6,
          .memory_bandwidth = shared_bandwidth,
          .memory_latency = 0.2e-6,
          .overhead = 0.05e-6,
          .per_byte = 1 / kCopy};
}

struct Both {
  Seconds allgather = 0;
  Seconds scatter = 0;

  [[nodiscard]] double ratio() const { return allgather / scatter; }
};

Both simulate(const PaperContext& context, double shared_bandwidth, int ranks) {
  const auto seconds = [&](std::string_view collective, std::string_view algorithm) {
    return simulate_collective(context, lusitania(shared_bandwidth), ranks, Placement::kBlock,
                               {collective, algorithm, {kBlock}, kPiece})
        .at(kBlock);
  };
  return {seconds("allgather", "recursive-doubling"), seconds("scatter", "binomial")};
}

ExhibitResult figure(PaperContext& context) {
  constexpr double kAllBuses = 32 * 8.5e9;
  ExhibitResult result;
  DrawnCurve allgather{.label = "recursive doubling allgather", .x = {}, .y = {}};
  DrawnCurve scatter{.label = "binomial scatter", .x = {}, .y = {}};
  double before = 2;
  for (const auto& [ranks, printed] : {std::pair(32, 2.61), {64, 2.83}, {128, 3.02}}) {
    const Both both = simulate(context, kAllBuses, ranks);
    result.rows.push_back(
        number_row(fmt::format("RDA over scatter, P = {}", ranks), printed, both.ratio(), AxisUnit::kNumber, 0.005));
    result.rows.push_back(claim_row(fmt::format("the same, P = {}, and more than for fewer processes", ranks), "> 2",
                                    both.ratio(), AxisUnit::kNumber, both.ratio() > before));
    before = both.ratio();
    for (const auto& [curve, seconds] : {std::pair(&allgather, both.allgather), {&scatter, both.scatter}}) {
      curve->x.push_back(ranks);
      curve->y.push_back(seconds);
    }
  }
  constexpr double kMemory = kAllBuses / 6;
  result.rows.push_back(
      our_row("with a memory of 45 GB/s for all, P = 32", simulate(context, kMemory, 32).ratio(), AxisUnit::kNumber));
  result.charts.push_back({.name = "",
                           .title = "Allgather and scatter of 8K from or to each process, simulated",
                           .curves = {std::move(allgather), std::move(scatter)},
                           .x = {"processes P", AxisUnit::kNumber}});
  result.why =
      "The schedules run by postage's executor on a simulated node, a block of 8K for each process in four pieces (the "
      "paper's S and sizes are not in its text), so that copies into and out of the buffer overlap in pairs where a "
      "process only receives. The test bed has what is known of the machine: 128 cores, four to a front-side bus of "
      "8.5 "
      "GB/s; a copy takes a third of a bus, and what passes between caches shares 32 buses. How L(S, tau) grows is not "
      "printed, and the ratio follows it: the last row takes all six crossings of a message's two copies for crossings "
      "of one memory. The claims need no more than that it grows.";
  return result;
}

}  // namespace

Exhibits figure_5() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "5",
           .caption = "allgather and scatter on 32, 64 and 128 cores of one node",
           .where = {"src/papers/rico_gallego/exhibits/figure_5.cpp#lusitania"},
           .source = ExhibitSource::kSimulated,
           .duration = 90,
           .compute = figure}};
}

}  // namespace postage::rico_gallego_paper
