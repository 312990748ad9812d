#include "papers/builtin_papers.hpp"

#include <postage/predict/formulas/ali.hpp>

namespace postage::ali_paper {
namespace {

namespace cell = closed_form::cell;

/// L_1(1) = 1 us, L_2(1) = 2 us.
constexpr Seconds kOnChip = 1e-6;
constexpr Seconds kAcross = 2e-6;

cell::Blade blade() {
  return {.chip = {.latency = CostCurve::constant(kOnChip)}, .across = {.latency = CostCurve::constant(kAcross)}};
}

ExhibitResult barriers(PaperContext&) {
  const auto ours = [](cell::Chips chips, std::int64_t ranks) {
    return cell::recursive_doubling_barrier(blade(), chips, ranks);
  };
  return {.rows = {number_row("recursive doubling, one chip, p = 8: 3 L(1)", 3e-6, ours(cell::Chips::kOne, 8),
                              AxisUnit::kSeconds),
                   number_row("recursive doubling, one chip, p = 6: (2 + 2) L(1)", 4e-6, ours(cell::Chips::kOne, 6),
                              AxisUnit::kSeconds),
                   number_row("recursive doubling, two chips, p = 16: 3 L_1(1) + L_2(1)", 5e-6,
                              ours(cell::Chips::kTwo, 16), AxisUnit::kSeconds)},
          .why = "For L_1(1) = 1 us and L_2(1) = 2 us."};
}

}  // namespace

Exhibits table_1() {
  return {{.kind = ExhibitKind::kTable,
           .number = "1",
           .caption = "barriers",
           .where = {"src/predict/formulas/ali.cpp#recursive_doubling_barrier"},
           .compute = barriers}};
}

}  // namespace postage::ali_paper
