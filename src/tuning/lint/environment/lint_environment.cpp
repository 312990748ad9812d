#include "tuning/lint/environment/families.hpp"
#include "tuning/lint/formats.hpp"
#include "tuning/lint/versions.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace postage {
namespace {

void check_repeated(std::span<const Assignment> all, LintFindings& findings) {
  for (auto one = all.begin(); one != all.end(); ++one) {
    const bool is_path = one->name.find("PATH") != std::string::npos || one->name.find("FOLDER") != std::string::npos;
    const auto again =
        std::find_if(one + 1, all.end(), [&](const Assignment& later) { return later.name == one->name; });
    if (!is_path && !one->is_indented && again != all.end() && again->value != one->value) {
      findings.add(one->line, LintEffect::kNoEffect, "repeated",
                   one->name + " is set again on line " + std::to_string(again->line), "each once");
    }
  }
}

/// A variable of a library that is tuned by these.
bool is_tuning_variable(std::string_view name) {
  return name.starts_with("OMPI_MCA_") || !mpich_variable(name).empty() || name.starts_with("UCC_") ||
         name.starts_with("UCX_") || name.starts_with("I_MPI_");
}

/// What a shell does not take as it is meant.
void check_shell_line(const Assignment& one, LintFindings& findings) {
  if (!is_tuning_variable(one.name)) {
    return;
  }
  if (one.is_shell && one.is_spaced) {
    findings.add(one.line, LintEffect::kNoEffect, "spaces",
                 "a shell does not set " + one.name + " where spaces stand beside the equals sign",
                 one.name + "=" + one.value);
  } else if (one.is_spaced && one.name.starts_with("OMPI_MCA_")) {
    findings.add(one.line, LintEffect::kNoEffect, "prefix",
                 "no shell sets it with spaces beside the equals sign, and in openmpi-mca-params.conf parameters have "
                 "no prefix OMPI_MCA_",
                 one.name.substr(9) + " = " + one.value);
  }
  if (one.is_shell && !one.is_quoted && one.value.find(';') != std::string::npos) {
    findings.add(one.line, LintEffect::kMisread, "quotes",
                 "a shell ends the value of " + one.name + " at the first ';'", "quotes around the value");
  }
}

}  // namespace

const Assignment* find_assignment(std::span<const Assignment> all, std::string_view name) {
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Assignment& one) { return one.name == name; });
  return found == all.rend() ? nullptr : &*found;
}

bool is_missing_file(std::string_view name) {
  std::error_code mistake;
  return name.starts_with('/') && name.find('$') == std::string_view::npos &&
         !std::filesystem::is_regular_file(name, mistake);
}

void lint_environment(std::string_view text, const LintVersions& versions, LintFindings& findings) {
  const AssignmentText read = read_assignments(text);
  check_repeated(read.assignments, findings);
  for (const Assignment& one : read.assignments) {
    check_shell_line(one, findings);
  }
  lint_open_mpi_variables(read.assignments, versions.open_mpi.value_or(kUsualOpenMpi), findings);
  lint_mpich_variables(read.assignments, versions.mpich.value_or(kUsualMpich), findings);
  lint_intel_variables(read.assignments, versions.intel.value_or(kUsualIntel), findings);
  lint_ucc_variables(read.assignments, findings);
  lint_ucx_variables(read.assignments, findings);
}

}  // namespace postage
