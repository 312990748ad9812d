#include "tuning/lint/environment/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

namespace postage {
namespace {

bool is_threshold(std::string word) {
  for (const char* scope : {"intra:", "inter:"}) {
    if (word.starts_with(scope)) {
      word = word.substr(6);
    }
  }
  if (word == "auto" || word == "inf") {
    return true;
  }
  std::size_t digits = 0;
  while (digits < word.size() && std::isdigit(static_cast<unsigned char>(word[digits])) != 0) {
    ++digits;
  }
  std::string unit = word.substr(digits);
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (unit.ends_with('b')) {
    unit.pop_back();
  }
  return digits > 0 && (unit.empty() || unit == "k" || unit == "m" || unit == "g" || unit == "t");
}

}  // namespace

void lint_ucx_variables(std::span<const Assignment> all, LintFindings& findings) {
  for (const Assignment& one : all) {
    if (one.name != "UCX_RNDV_THRESH" && one.name != "UCX_ZCOPY_THRESH") {
      continue;
    }
    std::istringstream words(one.value);
    for (std::string word; std::getline(words, word, ',');) {
      if (!is_threshold(word)) {
        findings.add(one.line, LintEffect::kAborts, "number",
                     fmt::format("'{}' is no size: UCX refuses to start", word),
                     "bytes like 8192 or 8k, inf or auto, with intra: or inter: before it");
      }
    }
  }
}

}  // namespace postage
