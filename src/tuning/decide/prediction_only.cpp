#include "tuning/decide/candidates.hpp"
#include "tuning/decide/cover.hpp"
#include "tuning/decide/merge.hpp"
#include "tuning/decide/platform_choice.hpp"

#include <postage/base/at_once.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace postage {
namespace {

constexpr double kPredictionLoss = 0.01;

/// The schedules themselves, for a library that has them all.
std::vector<DecisionChoice> own_choices(Collective collective, const Span<Rank>& ranks) {
  std::vector<DecisionChoice> choices;
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    bool is_possible = true;
    for (Rank count = ranks.first; count <= ranks.last; ++count) {
      is_possible = is_possible && can_do(algorithm, count);
    }
    if (is_possible) {
      choices.push_back({.algorithm = std::string(algorithm.name)});
      if (algorithm.segmentable) {
        constexpr Bytes kUsualSegment = 16384;
        choices.push_back({.algorithm = std::string(algorithm.name), .segment = kUsualSegment});
      }
    }
  }
  return choices;
}

std::vector<DecisionChoice> choices_of(const TuneRequest& request, Collective collective, const Span<Rank>& ranks,
                                       Bytes bytes) {
  return request.target == TuningTarget::kPreload ? own_choices(collective, ranks)
                                                  : candidates_for(request, collective, ranks, bytes);
}

/// Rules for one collective among the ranks of a span; `predictions` are of the job that these are part of.
class PredictedRules {
 public:
  PredictedRules(const TuneRequest& request, Collective collective, const Span<Rank>& ranks,
                 ChoicePredictions& predictions)
      : collective_(collective), middle_(ranks.first + (ranks.last - ranks.first) / 2), predictions_(predictions) {
    for (const Bytes bytes : sizes_for(collective, middle_, request.sizes)) {
      add_size(bytes, choices_of(request, collective, ranks, bytes));
    }
  }

  [[nodiscard]] std::vector<DecisionRule> rules(const CommunicatorSpan& communicator) {
    std::vector<DecisionRule> rules;
    for (CoveredCell& cell : cells_) {
      complete(cell);
    }
    for (const CoverRun& run : cover(cells_)) {
      if (run.choice == 0) {
        continue;
      }
      const Span<Bytes> bytes{run.first == 0 ? 0 : sizes_[run.first],
                              run.last + 1 == sizes_.size() ? Span<Bytes>{}.last : sizes_[run.last + 1] - 1};
      const Prediction& prediction = predictions_.of({collective_, middle_, sizes_[run.first]}, choices_[run.choice]);
      rules.push_back({.collective = collective_,
                       .communicators = communicator,
                       .bytes = bytes,
                       .choice = choices_[run.choice],
                       .predicted = prediction.seconds,
                       .predicted_interval = {prediction.lower, prediction.upper}});
    }
    return rules;
  }

 private:
  void add_size(Bytes bytes, const std::vector<DecisionChoice>& here) {
    sizes_.push_back(bytes);
    CoveredCell& cell = cells_.emplace_back();
    cell.seconds.assign(choices_.size(), kNever);
    for (const DecisionChoice& choice : here) {
      auto known = std::find(choices_.begin(), choices_.end(), choice);
      if (known == choices_.end()) {
        known = choices_.insert(choices_.end(), choice);
        cell.seconds.push_back(kNever);
      }
      const auto number = static_cast<std::size_t>(known - choices_.begin());
      cell.seconds[number] = predictions_.of({collective_, middle_, bytes}, choice).seconds;
    }
  }

  /// The default stays where nothing can be predicted.
  void complete(CoveredCell& cell) const {
    cell.seconds.resize(choices_.size(), kNever);
    std::vector<std::size_t> possible;
    for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
      if (std::isfinite(cell.seconds[choice])) {
        possible.push_back(choice);
      }
    }
    allow_within(cell, possible.empty() ? std::vector<std::size_t>{0} : possible, kPredictionLoss);
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();
  Collective collective_;
  Rank middle_;  ///< of the span: what is predicted
  ChoicePredictions& predictions_;
  std::vector<Bytes> sizes_;
  std::vector<DecisionChoice> choices_{1};
  std::vector<CoveredCell> cells_;
};

/// Each number of ranks that would be measured, and what lies between two of them.
std::vector<Span<Rank>> predicted_spans(Rank largest) {
  std::vector<Span<Rank>> all;
  for (const Span<Rank>& span : spans_from(first_numbers(largest))) {
    for (const RankPart& part : parts_of(span)) {
      all.push_back(part.ranks);
    }
  }
  return all;
}

/// One collective among the ranks of a span.
struct PredictedPart {
  Collective collective = Collective::kBarrier;
  Span<Rank> span;
  std::vector<DecisionRule> rules{};
};

/// Those of a job, part by part on all cores, in an order that does not depend on it.
std::vector<PredictedPart> predict_parts(const TuneRequest& request, const TuningJob& job, const PlatformModel& model) {
  std::vector<PredictedPart> parts;
  for (const Collective collective : request.collectives) {
    for (const Span<Rank>& span : predicted_spans(job.ranks())) {
      parts.push_back({collective, span});
    }
  }
  std::mutex telling;
  run_at_once(parts.size(), [&](std::size_t number) {
    PredictedPart& part = parts[number];
    if (request.tell) {
      const std::scoped_lock lock(telling);
      request.tell(fmt::format("predicting {} for {}", name_of(part.collective), name_of(request.target)), 0);
    }
    ChoicePredictions predictions(request, model);
    for (const CommunicatorSpan& communicator : communicator_spans(part.span, job, request.jobs.size() == 1)) {
      const auto found = PredictedRules(request, part.collective, part.span, predictions).rules(communicator);
      part.rules.insert(part.rules.end(), found.begin(), found.end());
    }
  });
  return parts;
}

}  // namespace

DecisionTable decide_by_prediction(const TuneRequest& request, const Platform& platform) {
  std::vector<DecisionRule> rules;
  for (const TuningJob& job : request.jobs) {
    const PlatformModel model = model_for(platform, job);
    std::vector<DecisionRule> own;
    for (const PredictedPart& part : predict_parts(request, job, model)) {
      own.insert(own.end(), part.rules.begin(), part.rules.end());
    }
    add_without_overlap(rules, own);
  }
  DecisionTable table(request.target, request.version, merge_communicators(std::move(rules)));
  table.platform = platform.name;
  return table;
}

}  // namespace postage
