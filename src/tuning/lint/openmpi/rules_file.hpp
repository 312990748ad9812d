#pragma once

#include "tuning/lint/openmpi/tuned_rules.hpp"

#include <string_view>
#include <vector>

namespace postage {

/// The first release that reads the line "rule-file-version-N" and a fifth column.
inline constexpr LibraryVersion kVersionTwoSince{5, 0, 7};
/// The first release that reads JSON, takes the first rule that matches, and shifts the blocks of text files.
inline constexpr LibraryVersion kFirstMatchSince{6, 0, 0};

inline constexpr std::string_view kRuleVersionLine = "rule-file-version-";

/// A text file of rules as a release of coll/tuned reads it. `sections` is empty where the layout does not tell what
/// the numbers mean; then and otherwise `findings` got what the layout says.
[[nodiscard]] std::vector<TunedSection> read_rules_file(std::string_view text, const LibraryVersion& version,
                                                        LintFindings& findings);

/// Says where blocks and rules hold, as a release looks them up, and what is never looked up.
void set_spans(TunedSection& section, const LibraryVersion& version, LintFindings& findings);

}  // namespace postage
