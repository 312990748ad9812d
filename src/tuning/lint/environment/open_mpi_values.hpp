#pragma once

#include "tuning/lint/environment/assignments.hpp"
#include "tuning/lint/findings.hpp"

#include <string_view>

namespace postage {

/// What Open MPI makes of the value of a parameter, `name` without OMPI_MCA_: lists of components, switches, numbers
/// and eager limits.
void lint_open_mpi_value(const Assignment& one, std::string_view name, LintFindings& findings);

/// Whether "tuned,basic" or "^han" leaves a component in.
[[nodiscard]] bool lists_component(std::string_view list, std::string_view component);

}  // namespace postage
