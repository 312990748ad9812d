#pragma once

#include <postage/base/json.hpp>
#include <postage/schedule/algorithms.hpp>

#include <string>

namespace postage {

/// "any", "even" or "2^k".
[[nodiscard]] std::string rank_rule_of(const Algorithm& algorithm);

/// Its names in stock libraries: "Open MPI 6, MPICH binomial, SMPI ompi_binomial".
[[nodiscard]] std::string counterparts_of(const Algorithm& algorithm);

/// Every algorithm of every collective: what it does, its parameters and what it is called elsewhere.
[[nodiscard]] Json algorithms_as_json();

}  // namespace postage
