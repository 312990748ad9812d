#pragma once

#include "tuning/decide/points.hpp"

#include <postage/predict/platform_model.hpp>
#include <postage/predict/prediction.hpp>

#include <map>
#include <vector>

namespace postage {

/// What the library could do for a collective among all numbers of ranks of a span: its algorithms with segments and
/// fan-outs to try. Segments that do not cut `bytes` are left out.
[[nodiscard]] std::vector<DecisionChoice> candidates_for(const TuneRequest& request, Collective collective,
                                                         const Span<Rank>& ranks, Bytes bytes);

/// True where that choice is one of these.
[[nodiscard]] bool is_candidate(const TuneRequest& request, Collective collective, const Span<Rank>& ranks, Bytes bytes,
                                const DecisionChoice& choice);

/// "bruck", "chain:seg=8192:chains=2": what tells choices of a collective apart.
[[nodiscard]] std::string key_of(const DecisionChoice& choice);

/// The key of times of the same choice that were measured after it had been chosen.
[[nodiscard]] inline std::string again_key(const DecisionChoice& choice) {
  return key_of(choice) + " again";
}

/// Predicted times of the library's own algorithms, each computed once.
class ChoicePredictions {
 public:
  ChoicePredictions(const TuneRequest& request, const PlatformModel& model) : request_(request), model_(model) {}
  [[nodiscard]] const Prediction& of(const TuningPoint& point, const DecisionChoice& choice);

 private:
  const TuneRequest& request_;
  const PlatformModel& model_;
  std::map<std::pair<TuningPoint, std::string>, Prediction> known_;
};

}  // namespace postage
