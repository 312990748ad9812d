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

}  // namespace

const Assignment* find_assignment(std::span<const Assignment> all, std::string_view name) {
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Assignment& one) { return one.name == name; });
  return found == all.rend() ? nullptr : &*found;
}

bool is_missing_file(std::string_view name) {
  std::error_code mistake;
  return name.starts_with('/') && name.find('$') == std::string_view::npos && !std::filesystem::exists(name, mistake);
}

void lint_environment(std::string_view text, const LintVersions& versions, LintFindings& findings) {
  const AssignmentText read = read_assignments(text);
  check_repeated(read.assignments, findings);
  lint_open_mpi_variables(read.assignments, versions.open_mpi.value_or(kUsualOpenMpi), findings);
  lint_mpich_variables(read.assignments, versions.mpich.value_or(kUsualMpich), findings);
  lint_intel_variables(read.assignments, versions.intel.value_or(kUsualIntel), findings);
  lint_ucc_variables(read.assignments, findings);
  lint_ucx_variables(read.assignments, findings);
}

}  // namespace postage
