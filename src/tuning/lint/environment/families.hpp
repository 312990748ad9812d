#pragma once

#include "tuning/lint/environment/assignments.hpp"
#include "tuning/lint/findings.hpp"

#include <span>
#include <string_view>

namespace postage {

// One function a library: the variables that are its own.
void lint_open_mpi_variables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings);
void lint_mpich_variables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings);
void lint_intel_variables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings);
void lint_ucx_variables(std::span<const Assignment> all, LintFindings& findings);

/// The value of UCC_TL_<NAME>_TUNE. `is_ucp` checks the algorithms, which are TL/UCP's.
void lint_ucc_tune(std::string_view value, int line, bool is_ucp, LintFindings& findings);
void lint_ucc_variables(std::span<const Assignment> all, LintFindings& findings);

/// The assignment of that name that counts, the last one, or nullptr.
[[nodiscard]] const Assignment* find_assignment(std::span<const Assignment> all, std::string_view name);

/// "MPIR_CVAR_<NAME>" of a variable of MPICH's, which also takes the prefixes MPIR_PARAM_ and MPICH_; else "".
[[nodiscard]] std::string mpich_variable(std::string_view name);

/// An absolute name of what is no file on this machine.
[[nodiscard]] bool is_missing_file(std::string_view name);

}  // namespace postage
