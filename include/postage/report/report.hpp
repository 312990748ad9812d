#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/platform.hpp>
#include <postage/validate/validation.hpp>

#include <string>
#include <vector>

namespace postage {

/// What a report shows. Validations belong to the platform of their name.
struct ReportInput {
  std::vector<Platform> platforms;
  std::vector<Validation> validations;
  Json comparisons = Json::array();  ///< what `postage compare --json` printed, one list each
  Json doctor;                       ///< what `postage doctor --json` printed; null leaves the section out
};

/// One HTML file that needs nothing else: styles, scripts, charts and data are inside.
[[nodiscard]] std::string render_report(const ReportInput& input);

}  // namespace postage
