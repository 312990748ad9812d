#pragma once

#include <postage/base/json.hpp>
#include <postage/job/job.hpp>
#include <postage/optimize/resources.hpp>
#include <postage/predict/explanation.hpp>

#include <string>
#include <vector>

namespace postage {

/// The explanation of one schedule under one model.
struct Explained {
  std::string algorithm;
  Bytes segment = 0;
  Rank ranks = 0;
  Bytes bytes = 0;
  std::string model;
  Evaluator evaluator = Evaluator::kRounds;
  Prediction prediction;  ///< its seconds are those of the tree, but of flows
  Explanation tree;
  std::vector<Advice> advice;
  std::vector<ResourceGain> gains{};  ///< what each resource would gain if it were twice as good
  std::string what_if{};              ///< the machine that was asked about; empty for the platform's own
};

/// By size, algorithm and model, of the collective or message of the options, whose ranks are resolved. Throws
/// UsageError or Error.
[[nodiscard]] std::vector<Explained> explain_job(const JobOptions& options, const JobPlatform& platform);

[[nodiscard]] Json to_json(const Explained& explained, const std::string& collective);

}  // namespace postage
