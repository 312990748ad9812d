#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/platform.hpp>
#include <postage/tuning/decision_table.hpp>
#include <postage/tuning/preload_gains.hpp>
#include <postage/validate/validation.hpp>

#include <string>
#include <vector>

namespace postage {

/// What a report shows. Validations and decisions belong to the platform of their name.
struct ReportInput {
  std::vector<Platform> platforms;
  std::vector<Validation> validations;
  std::vector<DecisionTable> decisions;  ///< what `postage tune` wrote
  std::vector<PreloadGains> gains;       ///< what `postage bench --preload` wrote
  std::vector<Json> profiles;            ///< of programs: what `postage run --json` wrote
  Json comparisons = Json::array();      ///< what `postage compare --json` printed, one list each
  Json doctor;                           ///< what `postage doctor --json` printed; null leaves the section out
};

/// One HTML file that needs nothing else: styles, scripts, charts and data are inside. It predicts the best algorithm
/// of every collective at seven sizes for each platform, which takes seconds for many ranks.
[[nodiscard]] std::string render_report(const ReportInput& input);

}  // namespace postage
