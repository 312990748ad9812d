#include "papers/builtin_papers.hpp"
#include "papers/chai/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace postage::chai_paper {
namespace {

constexpr std::array<std::pair<const char*, double>, 3> kPrinted{
    {{"alltoall", 0.60}, {"allgather", 0.28}, {"allreduce", 0.21}}};

/// The largest share of the time with copies that another program saves; negative where it is slower at every size.
double largest_saving(const Medians& medians, const char* copies, const char* other) {
  double saving = -1;
  for (const auto& [bytes, seconds] : medians.at(copies)) {
    saving = std::max(saving, 1 - medians.at(other).at(bytes) / seconds);
  }
  return saving;
}

ExhibitResult figure_8(PaperContext& context) {
  const MeasuredMessages measured = measure_messages(context, "collectives",
                                                     {.experiments = {"alltoall", "allgather", "allreduce"},
                                                      .sizes = parse_sizes("1K:1M:x4"),
                                                      .repetitions = 3,
                                                      .seconds = 0.01});
  ExhibitResult result;
  for (const auto& [name, printed] : kPrinted) {
    const Medians& medians = measured.experiments.at(name);
    result.rows.push_back(number_row(fmt::format("{}: time saved by measured thresholds, at most", name), printed,
                                     largest_saving(medians, kCopies, kHybrid), AxisUnit::kShare, 0.005));
    result.rows.push_back(our_row(fmt::format("{}: by single copy", name),
                                  largest_saving(medians, kCopies, kSingleCopy), AxisUnit::kShare));
    if (medians.contains("openmpi-no-cma")) {
      result.rows.push_back(our_row(fmt::format("{}: by single copy in Open MPI", name),
                                    largest_saving(medians, "openmpi-no-cma", "openmpi"), AxisUnit::kShare));
    }
    result.charts.push_back({.name = name,
                             .title = fmt::format("{}, 2 ranks", name),
                             .curves = curves_of(medians, false),
                             .y = {"time of one", AxisUnit::kSeconds}});
  }
  result.why = fmt::format(
      "Measured with the 2 ranks that this machine has cores for, where the paper has 8 on one node ({}). A negative "
      "saving: slower at every size. The thresholds that were measured on this machine choose single copy only where "
      "it "
      "is faster.",
      circumstances(measured));
  return result;
}

}  // namespace

Exhibits collectives() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "8",
           .caption = "collectives",
           .where = {"src/bench/programs/experiments.hpp#collective"},
           .source = ExhibitSource::kMeasured,
           .duration = 30,
           .command = "postage bench --experiment alltoall",
           .compute = figure_8}};
}

}  // namespace postage::chai_paper
