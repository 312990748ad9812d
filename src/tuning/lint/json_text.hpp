#pragma once

#include "tuning/lint/findings.hpp"

#include <postage/base/json_lines.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace postage {

/// The value of a file of JSON; nothing where it is none, which is a finding: `effect` and `consequence` say what the
/// library does then. `is_lenient` as in parse_json_lines.
[[nodiscard]] std::optional<JsonLine> lint_json_value(std::string_view text, bool is_lenient, LintEffect effect,
                                                      const std::string& consequence, LintFindings& findings);

}  // namespace postage
