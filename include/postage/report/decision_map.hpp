#pragma once

#include <postage/tuning/decision_table.hpp>

#include <string>

namespace postage {

/// A heat map of a decision table's cells as SVG: a row for each collective and number of ranks, a column for each
/// message size at which nearly all numbers of ranks of a collective were measured; the darker, the more of the
/// default's time is saved; what is chosen as a tooltip. White cells keep the default; hatched ones were not measured.
[[nodiscard]] std::string draw_decisions(const DecisionTable& table);

}  // namespace postage
