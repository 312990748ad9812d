#pragma once

#include <postage/base/json.hpp>
#include <postage/job/job.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Models that were left out where all were asked for, and why.
using LeftOutModels = std::map<std::string, std::string>;

/// A predicted time and what it is of.
struct PredictionRow {
  std::string collective;
  std::string algorithm;
  Rank ranks = 0;
  Bytes bytes = 0;
  Bytes segment = 0;
  std::string model;
  Prediction prediction;
  bool extrapolated = false;        ///< the model was not fitted to messages of this size
  std::string what_if{};            ///< the machine that was asked about; empty for the platform's own
  std::optional<Seconds> before{};  ///< of what_if: the same on the platform's own, where it can be done there
  std::int32_t further_nodes = 0;   ///< of what_if: nodes beyond those that were measured
};

struct PredictionRows {
  std::vector<PredictionRow> rows{};
  LeftOutModels left_out{};
};

/// The collective or message of the options, whose ranks are resolved (resolve_ranks): by size, algorithm and model.
/// Throws UsageError or Error.
[[nodiscard]] PredictionRows predict_job(const JobOptions& options, const JobPlatform& platform);

/// The same on the machine that `text` asks about (with_what_if), of options whose ranks are not resolved: added to
/// those of the platform's own, each beside what it takes there.
void add_what_if(const JobOptions& options, const std::string& text, PredictionRows& rows);

[[nodiscard]] Json to_json(const std::vector<PredictionRow>& rows);

}  // namespace postage
