#pragma once

#include <postage/base/json.hpp>
#include <postage/predict/prediction.hpp>

#include <string>
#include <vector>

namespace postage {

/// A line of what `postage predict` prints.
struct PredictionRow {
  std::string collective;
  std::string algorithm;
  Rank ranks = 0;
  Bytes bytes = 0;
  Bytes segment = 0;
  std::string model;
  Prediction prediction;
  bool extrapolated = false;
};

void print_rows(const std::vector<PredictionRow>& rows);

[[nodiscard]] Json to_json(const std::vector<PredictionRow>& rows);

}  // namespace postage
