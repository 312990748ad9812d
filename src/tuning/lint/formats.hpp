#pragma once

#include "tuning/lint/findings.hpp"

#include <string_view>

namespace postage {

// One function a format: what the release of its library does with the text.
void lint_open_mpi_rules(std::string_view text, const LibraryVersion& version, LintFindings& findings);
void lint_open_mpi_json(std::string_view text, const LibraryVersion& version, LintFindings& findings);
void lint_han_rules(std::string_view text, const LibraryVersion& version, LintFindings& findings);
void lint_mpich_json(std::string_view text, const LibraryVersion& version, LintFindings& findings);
void lint_ucc_conf(std::string_view text, const LibraryVersion& version, LintFindings& findings);
/// Lines of several libraries: each is checked for its own.
void lint_environment(std::string_view text, const LintVersions& versions, LintFindings& findings);

/// Whether anything but numbers stands outside of comments.
[[nodiscard]] bool has_words(std::string_view text);

}  // namespace postage
