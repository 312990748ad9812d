#pragma once

#include <postage/base/json.hpp>
#include <postage/tuning/library.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Files that tune MPI libraries. kEnvironment holds lines NAME=VALUE of any of them: a shell script of exports, a
/// modulefile, an openmpi-mca-params.conf. kUccConf has sections.
enum class TuningFormat { kOpenMpiRules, kOpenMpiJson, kHanRules, kMpichJson, kUccConf, kEnvironment };

/// "openmpi-rules", "openmpi-json", "han-rules", "mpich-json", "ucc-conf", "environment" and back; parse_tuning_format
/// throws UsageError listing the valid names.
[[nodiscard]] std::string_view name_of(TuningFormat format);
[[nodiscard]] TuningFormat parse_tuning_format(std::string_view name);

/// By its content. Throws UsageError where it is none of them.
[[nodiscard]] TuningFormat detect_tuning_format(std::string_view text);

/// Releases of the libraries that would read a file. What is left out is the one that the format was made for.
struct LintVersions {
  std::optional<LibraryVersion> open_mpi{};
  std::optional<LibraryVersion> mpich{};
  std::optional<LibraryVersion> ucc{};
  std::optional<LibraryVersion> intel{};
};

/// Reads "openmpi@5.0.7,mpich@4.2", or "5.0.7", which is the release of the format's own library. Throws UsageError.
[[nodiscard]] LintVersions parse_lint_versions(std::string_view text, TuningFormat format);

/// What the library does with something that is not as it should be. None of it is said to the user, unless it aborts.
enum class LintEffect {
  kFileIgnored,     ///< as if there were no file
  kRuleIgnored,     ///< as if there were no such rule
  kAborts,          ///< the program ends, or the call returns an error
  kDeadlocks,       ///< correct programs may wait for ever
  kOtherAlgorithm,  ///< another algorithm runs than the one named
  kNoEffect,        ///< what is written there changes nothing
  kMisread,         ///< it is read as something else
};
[[nodiscard]] std::string_view name_of(LintEffect effect);

struct LintFinding {
  int line = 1;
  LintEffect effect = LintEffect::kNoEffect;
  std::string check{};    ///< a short name, the same for all findings of its kind: "first-size"
  std::string what{};     ///< what the library does, in one sentence without an end
  std::string instead{};  ///< what would be right
};

struct LintReport {
  TuningFormat format = TuningFormat::kOpenMpiRules;
  std::string library{};                ///< "Open MPI 4.1.4": whose reading was checked
  std::vector<LintFinding> findings{};  ///< by line
};

/// What the libraries would silently ignore, misread or abort on. Throws UsageError where the text is none of the
/// formats.
[[nodiscard]] LintReport lint(std::string_view text, std::optional<TuningFormat> format = {},
                              const LintVersions& versions = {});

/// A line for each finding, "FILE:LINE: EFFECT: what; instead [check]", and a summary.
[[nodiscard]] std::string lint_text(const LintReport& report, std::string_view file);
[[nodiscard]] Json lint_json(const LintReport& report, std::string_view file);

}  // namespace postage
