#include "papers/builtin_papers.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/formulas/lastovetsky.hpp>

#include <array>

namespace postage::lastovetsky_paper {
namespace {

/// C = 50 us, t = 5 ns, beta = 100 MB/s, S = 64K for 8 ranks.
Seconds scatter(Bytes block) {
  const Model model = build_model(
      parse_parameters("lmo", "C=50us,t=5ns,beta=100MB/s,S=64K,M_1=4K,M_2=66K,kappa_1=3ns,kappa_2=20ns"), {});
  const std::array<std::int32_t, 7> others{1, 2, 3, 4, 5, 6, 7};
  return closed_form::linear_scatter(*model.target<Lmo>(), {0, others, block});
}

ExhibitResult equation(PaperContext&) {
  return {.rows = {number_row("M = 32K <= S: 7 (50 + 163.84) + 50 + 163.84 + 327.68 us", 2038.4e-6,
                              scatter(parse_bytes("32K")), AxisUnit::kSeconds),
                   number_row("M = 150K > S: 7 (50 + 768) + 7 (50 + 768 + 1536) us", 22204e-6,
                              scatter(parse_bytes("150K")), AxisUnit::kSeconds)},
          .why = "For n = 7 others, C = 50 us, t = 5 ns, beta = 100 MB/s and S = 64K."};
}

}  // namespace

Exhibits equation_8() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "8",
           .caption = "linear scatter by LMO, below and above S",
           .where = {"src/predict/formulas/lastovetsky.cpp#linear_scatter"},
           .compute = equation}};
}

}  // namespace postage::lastovetsky_paper
