#include "papers/builtin_papers.hpp"

#include <postage/predict/formulas/tu.hpp>

namespace postage::tu_paper {
namespace {

/// o_mw + l_mw = 3 us in a node; 4 us, and o_net = 6 us, between nodes.
MiddlewareLevel in_node() {
  return {.overhead = CostCurve::constant(3e-6), .network = {}};
}
MiddlewareLevel between_nodes() {
  return {.overhead = CostCurve::constant(4e-6), .network = CostCurve::constant(6e-6)};
}

ExhibitResult binomial(PaperContext&) {
  const auto ours = [](std::int64_t ranks, std::int64_t within) {
    return closed_form::binomial_bcast(in_node(), between_nodes(), ranks, within, 1024, 0);
  };
  return {.rows = {number_row("P = 16, n = 1: 3 + 3 (4 + 6) us", 33e-6, ours(16, 1), AxisUnit::kSeconds),
                   number_row("P = 64, n = 3: 3 * 3 + 3 (4 + 6) us", 39e-6, ours(64, 3), AxisUnit::kSeconds)},
          .why = "For o_mw + l_mw = 3 us in a node, o'_mw + l'_mw = 4 us and o'_net = 6 us between nodes."};
}

}  // namespace

Exhibits section_4b() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "IV.B-binomial",
           .caption = "binomial broadcast by 2log_{2,3}P",
           .where = {"src/predict/formulas/tu.cpp#binomial_bcast"},
           .compute = binomial}};
}

}  // namespace postage::tu_paper
