#pragma once

#include <postage/tuning/lint.hpp>

#include <string>
#include <utility>
#include <vector>

namespace postage {

/// Where the checks put what they find.
class LintFindings {
 public:
  void add(int line, LintEffect effect, std::string check, std::string what, std::string instead) {
    found_.push_back({line, effect, std::move(check), std::move(what), std::move(instead)});
  }
  [[nodiscard]] bool empty() const { return found_.empty(); }
  [[nodiscard]] std::vector<LintFinding> take() { return std::move(found_); }

 private:
  std::vector<LintFinding> found_;
};

}  // namespace postage
