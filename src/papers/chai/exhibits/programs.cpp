#include "papers/builtin_papers.hpp"
#include "papers/chai/applications.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace postage::chai_paper {
namespace {

constexpr int kRanks = 2;
constexpr int kPairs = 5;
/// What "under 5 %" is in the text.
constexpr double kSmallGain = 0.05;

/// Figure 9's text; of the other applications it says "under 5 %".
const std::map<std::string_view, double> kPrintedSavings{{"FT", 0.08}, {"IS", 0.17}};

PaperRow saving_row(const StandIn& program, double saving) {
  const std::string what = fmt::format("{}: time saved, {} in its place", program.stands_for, program.program);
  const auto printed = kPrintedSavings.find(program.stands_for);
  return printed != kPrintedSavings.end() ? number_row(what, printed->second, saving, AxisUnit::kShare, 0.005)
                                          : claim_row(what, "under 5 %", saving, AxisUnit::kShare, saving < kSmallGain);
}

ExhibitResult figure_9(PaperContext& context) {
  ExhibitResult result;
  for (const StandIn& program : stand_ins()) {
    const PairedRuns runs = paired_runs(context, program, kRanks, kPairs);
    result.rows.push_back(saving_row(program, runs.saving()));
    const auto [least, most] = std::ranges::minmax(runs.alone);
    result.rows.push_back(our_row(fmt::format("{} alone, from", program.program), least, AxisUnit::kSeconds));
    result.rows.push_back(our_row(fmt::format("{} alone, to", program.program), most, AxisUnit::kSeconds));
  }
  result.rows.push_back(missing_row("PSTSWM: time saved", 0.14, AxisUnit::kShare, "no program here stands for it"));
  result.why = fmt::format(
      "NAS, PSTSWM and HPL are not run: programs of examples/programs that do what the named one does stand in their "
      "place, on {} ranks, where the paper has 8. Open MPI alone stands for MVAPICH, and with the preload library, "
      "which carries out their collectives through postage's shared memory, for the hybrid; medians of {} pairs of "
      "runs that take turns. Open MPI has single copies of its own (figure 8), so that what is saved is more than the "
      "paper's thresholds and less than its change of protocol.",
      kRanks, kPairs);
  return result;
}

ExhibitResult figure_11(PaperContext&) {
  return {.rows = {missing_row("PSTSWM: time saved", 0.06, AxisUnit::kShare, "needs 64 cores of 8 nodes")},
          .why =
              "Not run, nor simulated: a simulated node would give back the gain of a single copy that is put into it, "
              "and the cores of this machine have none to put in (figure 2a). Figure 9 has one node."};
}

}  // namespace

Exhibits programs() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "9",
           .caption = "applications on one node, by programs in their place",
           .where = {"src/papers/chai/applications.cpp#stand_ins", "examples/programs/bucket_sort.c",
                     "examples/programs/conjugate_gradient.c", "examples/programs/fft_2d.f90",
                     "examples/programs/panel_broadcast.f90"},
           .source = ExhibitSource::kMeasured,
           .duration = 60,
           .command = "postage run --stats -- mpirun -n 2 ./bucket_sort",
           .compute = figure_9},
          {.kind = ExhibitKind::kFigure,
           .number = "11",
           .caption = "applications on 8 nodes",
           .where = {"src/papers/chai/exhibits/programs.cpp#figure_11"},
           .compute = figure_11}};
}

}  // namespace postage::chai_paper
