#include "tuning/lint/formats.hpp"
#include "tuning/lint/openmpi/rules_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// Of a collective's repeated sections the last one counts.
void check_repetition(const std::vector<TunedSection>& sections, LintFindings& findings) {
  for (auto section = sections.begin(); section != sections.end(); ++section) {
    const auto again = std::find_if(section + 1, sections.end(),
                                    [&](const TunedSection& later) { return later.collective == section->collective; });
    if (again != sections.end()) {
      findings.add(section->line, LintEffect::kRuleIgnored, "repeated",
                   fmt::format("these rules of {} are replaced by those of line {}",
                               open_mpi_collective(section->collective), again->line),
                   "each collective once");
    }
  }
}

}  // namespace

void lint_open_mpi_rules(std::string_view text, const LibraryVersion& version, LintFindings& findings) {
  std::vector<TunedSection> sections = read_rules_file(text, version, findings);
  check_repetition(sections, findings);
  for (TunedSection& section : sections) {
    set_spans(section, version, findings);
    report_if_empty(section, findings);
    check_tuned_section(section, version, false, findings);
  }
}

}  // namespace postage
