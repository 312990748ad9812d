#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage::rico_gallego_paper {
namespace {

constexpr Bytes kPiece = 1024;
const std::vector<Bytes> kBlocks{4096, 8192, 16384};

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
  std::map<Bytes, Seconds> allgather;
  std::map<Bytes, Seconds> scatter;

  [[nodiscard]] double mean_ratio() const {
    double sum = 0;
    for (const auto& [block, seconds] : allgather) {
      sum += seconds / scatter.at(block);
    }
    return sum / static_cast<double>(allgather.size());
  }
  [[nodiscard]] double least_ratio() const {
    double least = allgather.begin()->second / scatter.at(allgather.begin()->first);
    for (const auto& [block, seconds] : allgather) {
      least = std::min(least, seconds / scatter.at(block));
    }
    return least;
  }
};

Both simulate(const PaperContext& context, double shared_bandwidth, int ranks) {
  const auto times = [&](std::string_view collective, std::string_view algorithm) {
    return simulate_collective(context, lusitania(shared_bandwidth), ranks, Placement::kBlock,
                               {collective, algorithm, kBlocks, kPiece});
  };
  return {times("allgather", "recursive-doubling"), times("scatter", "binomial")};
}

/// Over the whole message m, as the paper draws it.
DrawnCurve curve_of(const std::string& label, const std::map<Bytes, Seconds>& times, int ranks) {
  DrawnCurve curve{.label = label, .x = {}, .y = {}};
  for (const auto& [block, seconds] : times) {
    curve.x.push_back(static_cast<double>(ranks * block));
    curve.y.push_back(seconds);
  }
  return curve;
}

ExhibitResult compute_figure_5(PaperContext& context) {
  constexpr double kAllBuses = 32 * 8.5e9;
  ExhibitResult result;
  PaperChart chart{.name = "", .title = "Recursive doubling allgather and binomial scatter, simulated", .curves = {}};
  double before = 0;
  for (const auto& [ranks, printed] : {std::pair(32, 2.61), {64, 2.83}, {128, 3.02}}) {
    const Both both = simulate(context, kAllBuses, ranks);
    result.rows.push_back(number_row(fmt::format("mean of RDA over scatter, P = {}", ranks), printed, both.mean_ratio(),
                                     AxisUnit::kNumber, 0.005));
    result.rows.push_back(claim_row(fmt::format("least of RDA over scatter, P = {}", ranks), "> 2", both.least_ratio(),
                                    AxisUnit::kNumber, both.least_ratio() > 2));
    if (before > 0) {
      result.rows.push_back(claim_row(fmt::format("mean for P = {} over that for half as many", ranks), "> 1",
                                      both.mean_ratio() / before, AxisUnit::kNumber, both.mean_ratio() > before));
    }
    before = both.mean_ratio();
    chart.curves.push_back(curve_of(fmt::format("RDA, P = {}", ranks), both.allgather, ranks));
    chart.curves.push_back(curve_of(fmt::format("scatter, P = {}", ranks), both.scatter, ranks));
  }
  constexpr double kMemory = kAllBuses / 6;
  result.rows.push_back(our_row("with a memory of 45 GB/s for all, P = 32", simulate(context, kMemory, 32).mean_ratio(),
                                AxisUnit::kNumber));
  result.charts.push_back(std::move(chart));
  result.why =
      "The schedules run by postage's executor on a simulated node, in pieces of 1K of each block of 4K to 16K "
      "(the "
      "paper's S and sizes are not in its text), so that copies into and out of the buffer overlap in pairs where a "
      "process only receives. The test bed has what is known of the machine: 128 cores, four to a front-side bus of "
      "8.5 "
      "GB/s; a copy takes a third of a bus, and what passes between caches shares 32 buses. How L(S, tau) grows is not "
      "printed, and the ratio follows it: the last row takes all six crossings of a message's two copies for "
      "crossings of one memory. Blocks of 4K have four pieces only, of "
      "which the first and the last are not overlapped in the scatter: at P = 32 that leaves less than twofold, as the "
      "exact cost of a message says (claim 4-twofold).";
  return result;
}

}  // namespace

Exhibits figure_5() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "5",
           .caption = "allgather and scatter on 32, 64 and 128 cores of one node",
           .where = {"src/papers/rico_gallego/exhibits/figure_5.cpp#lusitania"},
           .source = ExhibitSource::kSimulated,
           .duration = 30,
           .compute = compute_figure_5}};
}

}  // namespace postage::rico_gallego_paper
