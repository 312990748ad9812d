#include "papers/builtin_papers.hpp"

#include <postage/predict/formulas/rico_gallego.hpp>

namespace postage::rico_gallego_paper {
namespace {

constexpr Bytes kSegment = 8192;

/// L(S, tau) = 2 us, whatever tau.
TauLopLink flat() {
  return {.overhead = {}, .transfer = CostSurface({{1, CostCurve::constant(2e-6)}})};
}

ExhibitResult scatter(PaperContext&) {
  return {.rows = {number_row("P = k = 32: 2 us (16 + 8 + 4 + 2 + 1)", 62e-6,
                              closed_form::binomial_scatter(flat(), 32, kSegment, 32), AxisUnit::kSeconds)},
          .why = "For a flat L(S, tau) = 2 us."};
}

ExhibitResult allgather(PaperContext&) {
  return {.rows = {number_row("P = k = 32: 2 us (2 + 4 + 8 + 16 + 32)", 124e-6,
                              closed_form::recursive_doubling_allgather(flat(), 32, kSegment, 32), AxisUnit::kSeconds)},
          .why = "For a flat L(S, tau) = 2 us."};
}

}  // namespace

Exhibits section_4() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "1",
           .caption = "binomial scatter by tau-Lop",
           .where = {"src/predict/formulas/rico_gallego.cpp#binomial_scatter"},
           .compute = scatter},
          {.kind = ExhibitKind::kEquation,
           .number = "3",
           .caption = "recursive doubling allgather by tau-Lop",
           .where = {"src/predict/formulas/rico_gallego.cpp#recursive_doubling_allgather"},
           .compute = allgather}};
}

}  // namespace postage::rico_gallego_paper
