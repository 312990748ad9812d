#include "papers/builtin_papers.hpp"

#include <postage/bench/skew_formulas.hpp>

namespace postage::chai_paper {
namespace {

constexpr closed_form::SkewBenchmark kPrinted{
    .producer_computation = 1e-6, .consumer_computation = 40e-6, .window = 64};

ExhibitResult producer_time(PaperContext&) {
  return {
      .rows = {number_row("MVAPICH: (1 + 4) * 64 + 10 us", 330e-6,
                          closed_form::producer_time_by_copies(kPrinted, 4e-6, 10e-6), AxisUnit::kSeconds),
               number_row("MVAPICH-LiMIC2: (6 + 40) * 64 + 10 us", 2954e-6,
                          closed_form::producer_time_by_single_copies(kPrinted, 6e-6, 10e-6), AxisUnit::kSeconds)},
      .why = "For c1 = 1 us, c2 = 40 us, a window of 64, and 4, 6 and 10 us for MPI_Send, MPI_Recv and MPI_Waitall."};
}

}  // namespace

Exhibits section_3_4() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "3.4-c3",
           .caption = "what a producer takes under process skew",
           .where = {"src/bench/skew_formulas.cpp#producer_time_by_copies"},
           .compute = producer_time}};
}

}  // namespace postage::chai_paper
