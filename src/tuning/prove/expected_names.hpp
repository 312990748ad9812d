#pragma once

#include <postage/tuning/decision_table.hpp>

#include <string>
#include <string_view>

namespace postage {

/// The function that the tracer names for a library's algorithm, and for MPICH's nb the one that runs within it.
struct ExpectedNames {
  std::string outer;
  std::string inner{};
};

[[nodiscard]] ExpectedNames expected_names(TuningTarget target, Collective collective, std::string_view library_name);

}  // namespace postage
