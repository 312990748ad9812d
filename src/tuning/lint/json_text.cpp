#include "tuning/lint/json_text.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace postage {
namespace {

/// "... at line 3, column 7: ..." and "line 3: ...".
int line_in(const std::string& mistake) {
  const auto at = mistake.find("line ");
  return at == std::string::npos ? 1 : std::max(1, std::atoi(mistake.c_str() + at + 5));
}

}  // namespace

std::optional<JsonLine> lint_json_value(std::string_view text, bool is_lenient, LintEffect effect,
                                        const std::string& consequence, LintFindings& findings) {
  try {
    JsonLinesText read = parse_json_lines(text, is_lenient);
    if (read.line_of_rest > 0) {
      findings.add(read.line_of_rest, LintEffect::kRuleIgnored, "rest", "what follows the closing brace is never read",
                   "one object, and nothing behind it");
    }
    return std::move(read.value);
  } catch (const Error& mistake) {
    findings.add(line_in(mistake.what()), effect, "syntax",
                 fmt::format("this is no JSON ({}): {}", mistake.what(), consequence), "complete JSON");
    return std::nullopt;
  }
}

}  // namespace postage
