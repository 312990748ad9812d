#pragma once

#include <postage/predict/formulas/formula.hpp>

namespace postage {

// The formulas of one paper each; registry.cpp joins them in this order.
[[nodiscard]] std::vector<Formula> tu_formulas();
[[nodiscard]] std::vector<Formula> rico_gallego_formulas();
[[nodiscard]] std::vector<Formula> lastovetsky_formulas();
[[nodiscard]] std::vector<Formula> ali_formulas();

}  // namespace postage
