#include "tuning/lint/formats.hpp"
#include "tuning/lint/openmpi/rules_file.hpp"
#include "tuning/lint/versions.hpp"

#include <postage/base/error.hpp>
#include <postage/tuning/lint.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace postage {
namespace {

constexpr std::array<std::pair<TuningFormat, std::string_view>, 6> kFormatNames{{
    {TuningFormat::kOpenMpiRules, "openmpi-rules"},
    {TuningFormat::kOpenMpiJson, "openmpi-json"},
    {TuningFormat::kHanRules, "han-rules"},
    {TuningFormat::kMpichJson, "mpich-json"},
    {TuningFormat::kUccConf, "ucc-conf"},
    {TuningFormat::kEnvironment, "environment"},
}};

constexpr std::array<std::pair<LintEffect, std::string_view>, 7> kEffectNames{{
    {LintEffect::kFileIgnored, "file ignored"},
    {LintEffect::kRuleIgnored, "rule ignored"},
    {LintEffect::kAborts, "aborts"},
    {LintEffect::kDeadlocks, "deadlocks"},
    {LintEffect::kOtherAlgorithm, "other algorithm"},
    {LintEffect::kNoEffect, "no effect"},
    {LintEffect::kMisread, "misread"},
}};

template <typename Pairs, typename Value>
std::string_view second_of(const Pairs& pairs, Value value) {
  const auto* const found = std::ranges::find(pairs, value, &Pairs::value_type::first);
  return found == pairs.end() ? "" : found->second;
}

/// The release that a text file of rules was written for.
LibraryVersion usual_for_rules(std::string_view text) {
  return text.starts_with(kRuleVersionLine) ? kVersionTwoSince : kUsualOpenMpi;
}

std::string named(std::string_view library, const LibraryVersion& version) {
  return fmt::format("{} {}", library, format_version(version));
}

/// The format's own library and function.
struct FormatLint {
  std::string library;
  LibraryVersion version;
  void (*check)(std::string_view, const LibraryVersion&, LintFindings&);
};

FormatLint lint_of(TuningFormat format, std::string_view text, const LintVersions& versions) {
  switch (format) {
    case TuningFormat::kOpenMpiJson:
      return {"Open MPI", versions.open_mpi.value_or(kFirstMatchSince), lint_open_mpi_json};
    case TuningFormat::kHanRules:
      return {"Open MPI", versions.open_mpi.value_or(has_words(text) ? kVersionTwoSince : kUsualOpenMpi),
              lint_han_rules};
    case TuningFormat::kMpichJson:
      return {"MPICH", versions.mpich.value_or(kUsualMpich), lint_mpich_json};
    case TuningFormat::kUccConf:
      return {"UCC", versions.ucc.value_or(kUsualUcc), lint_ucc_conf};
    default:
      return {"Open MPI", versions.open_mpi.value_or(usual_for_rules(text)), lint_open_mpi_rules};
  }
}

std::string libraries_of(const LintVersions& versions) {
  return fmt::format("{}, {}, {}, {}", named("Open MPI", versions.open_mpi.value_or(kUsualOpenMpi)),
                     named("MPICH", versions.mpich.value_or(kUsualMpich)),
                     named("UCC", versions.ucc.value_or(kUsualUcc)),
                     named("Intel MPI", versions.intel.value_or(kUsualIntel)));
}

}  // namespace

std::string_view name_of(TuningFormat format) {
  return second_of(kFormatNames, format);
}

TuningFormat parse_tuning_format(std::string_view name) {
  std::string valid;
  for (const auto& [format, known] : kFormatNames) {
    if (known == name) {
      return format;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError(unknown_name("format", std::string(name), valid));
}

std::string_view name_of(LintEffect effect) {
  return second_of(kEffectNames, effect);
}

LintVersions parse_lint_versions(std::string_view text, TuningFormat format) {
  LintVersions versions;
  std::istringstream words{std::string(text)};
  for (std::string word; std::getline(words, word, ',');) {
    const auto at = word.find('@');
    const LibraryVersion version = parse_library_version(at == std::string::npos ? word : word.substr(at + 1));
    const TuningTarget target = at != std::string::npos              ? parse_tuning_target(word.substr(0, at))
                                : format == TuningFormat::kMpichJson ? TuningTarget::kMpich
                                : format == TuningFormat::kUccConf   ? TuningTarget::kUcc
                                                                     : TuningTarget::kOpenMpi;
    switch (target) {
      case TuningTarget::kOpenMpi:
        versions.open_mpi = version;
        break;
      case TuningTarget::kMpich:
        versions.mpich = version;
        break;
      case TuningTarget::kUcc:
        versions.ucc = version;
        break;
      case TuningTarget::kIntelMpi:
        versions.intel = version;
        break;
      default:
        throw UsageError(fmt::format("{} has no tuning files: name openmpi, mpich, ucc or intel", word));
    }
  }
  return versions;
}

LintReport lint(std::string_view text, std::optional<TuningFormat> format, const LintVersions& versions) {
  const TuningFormat known = format ? *format : detect_tuning_format(text);
  LintFindings findings;
  LintReport report{.format = known};
  if (known == TuningFormat::kEnvironment) {
    report.library = libraries_of(versions);
    lint_environment(text, versions, findings);
  } else {
    const FormatLint its = lint_of(known, text, versions);
    report.library = named(its.library, its.version);
    its.check(text, its.version, findings);
  }
  report.findings = findings.take();
  std::ranges::stable_sort(report.findings, {}, &LintFinding::line);
  return report;
}

std::string lint_text(const LintReport& report, std::string_view file) {
  std::string text;
  for (const LintFinding& one : report.findings) {
    text += fmt::format("{}:{}: {}: {}; right would be {} [{}]\n", file, one.line, name_of(one.effect), one.what,
                        one.instead, one.check);
  }
  const std::size_t count = report.findings.size();
  const std::string how_many = count == 0 ? "no finding" : fmt::format("{} finding{}", count, count == 1 ? "" : "s");
  return text + fmt::format("{}: {}, as {} reads {}\n", file, how_many, report.library, name_of(report.format));
}

Json lint_json(const LintReport& report, std::string_view file) {
  Json findings = Json::array();
  for (const LintFinding& one : report.findings) {
    findings.push_back({{"line", one.line},
                        {"effect", name_of(one.effect)},
                        {"check", one.check},
                        {"what", one.what},
                        {"instead", one.instead}});
  }
  return {{"file", file},
          {"format", name_of(report.format)},
          {"library", report.library},
          {"findings", std::move(findings)}};
}

}  // namespace postage
