#include "tuning/decide/communicator.hpp"
#include "tuning/decide/merge.hpp"
#include "tuning/decide/platform_choice.hpp"

#include <postage/tuning/tune.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <numeric>

namespace postage {
namespace {

/// Contenders that follow from corrected predictions are measured so often at most, and rules so often proven.
constexpr int kMostCorrections = 2;
constexpr int kMostProofs = 4;
/// The end of a rule beside the default is looked for so often between two sizes: beside one of them, then by halving.
constexpr int kMostRefinementsOfEnds = 6;
/// Of the time for measuring.
constexpr double kShareOfContenders = 0.35;
constexpr double kShareOfEachCorrection = 0.05;
constexpr double kShareOfEachProof = 0.03;
constexpr double kShareOfEachRefinement = 0.015;
constexpr double kShareOfProof = 0.3;

/// One placement of ranks: all collectives and communicators on it.
class JobTuning {
 public:
  JobTuning(const TuneRequest& request, const Platform& platform, const TuningJob& job)
      : request_(request),
        job_(job),
        model_(model_for(platform, job)),
        predictions_(model_),
        times_(kept_times(request, job, "")) {
    for (const Collective collective : request.collectives) {
      for (const RankSpan& span : rank_spans(job.ranks())) {
        tell("predicting", 0);
        decisions_.emplace_back(span, CommunicatorDecision(request, collective, span, predictions_, times_));
      }
    }
  }

  void measure(ChoiceTimer& timer) {
    measure(timer, "measuring contenders", kShareOfContenders, &CommunicatorDecision::contenders);
    for (int i = 0; i < kMostCorrections; ++i) {
      measure(timer, "measuring further contenders", kShareOfEachCorrection, &CommunicatorDecision::further_contenders);
    }
    for (int i = 0; i < kMostProofs; ++i) {
      measure(timer, "measuring rules between sizes", kShareOfEachProof, &CommunicatorDecision::unproven);
    }
    for (int i = 0; i < kMostRefinementsOfEnds; ++i) {
      measure(timer, "looking for the ends of rules", kShareOfEachRefinement, &CommunicatorDecision::refine);
    }
    measure(timer, "comparing rules with the default", kShareOfProof, &CommunicatorDecision::to_be_proven, true);
  }

  [[nodiscard]] DecidedRules decide() const {
    DecidedRules all;
    const bool is_only_job = request_.jobs.size() == 1;
    for (const auto& [span, decision] : decisions_) {
      tell("deciding", spent_);
      for (const RankPart& part : parts_of(span)) {
        DecidedRules own = decision.decide(part, communicator_spans(part.ranks, job_, is_only_job));
        std::move(own.rules.begin(), own.rules.end(), std::back_inserter(all.rules));
        std::move(own.dropped.begin(), own.dropped.end(), std::back_inserter(all.dropped));
        std::move(own.cells.begin(), own.cells.end(), std::back_inserter(all.cells));
      }
    }
    return all;
  }

 private:
  using RequestsOf = std::function<std::vector<TimingRequest>(CommunicatorDecision&)>;

  void measure(ChoiceTimer& timer, const std::string& what, double share, const RequestsOf& requests_of,
               bool again = false) {
    std::vector<TimingRequest> requests;
    for (auto& [span, decision] : decisions_) {
      tell(what, spent_);
      const std::vector<TimingRequest> own = requests_of(decision);
      requests.insert(requests.end(), own.begin(), own.end());
    }
    for (const auto& [point, choices] : requests) {
      times_.recall(point, "");
      for (const DecisionChoice& choice : choices) {
        times_.recall(point, key_of(choice));
        times_.recall(point, again ? again_key(choice) : key_of(choice));
      }
    }
    if (!requests.empty()) {
      timer.time(requests, again, share * request_.budget, times_,
                 [&](double done) { tell(what, spent_ + share * done); });
    }
    spent_ += share;
  }

  void tell(const std::string& what, double share) const {
    if (request_.tell) {
      request_.tell(what, std::min(share, 1.0));
    }
  }

  const TuneRequest& request_;
  TuningJob job_;
  PlatformModel model_;
  ChoicePredictions predictions_;
  MeasuredTimes times_;
  std::list<std::pair<RankSpan, CommunicatorDecision>> decisions_;
  double spent_ = 0;
};

}  // namespace

DecisionTable tune(const TuneRequest& request, const Platform& platform,
                   const std::function<LaunchTarget(const TuningJob&)>& target_of) {
  DecidedRules all;
  for (const TuningJob& job : request.jobs) {
    JobTuning tuning(request, platform, job);
    const std::unique_ptr<ChoiceTimer> timer = timer_for(request, target_of(job));
    tuning.measure(*timer);
    DecidedRules own = tuning.decide();
    add_without_overlap(all.rules, own.rules);
    std::move(own.dropped.begin(), own.dropped.end(), std::back_inserter(all.dropped));
    std::move(own.cells.begin(), own.cells.end(), std::back_inserter(all.cells));
  }
  DecisionTable table(request.target, request.version, merge_communicators(std::move(all.rules)));
  table.platform = platform.name;
  table.dropped = std::move(all.dropped);
  table.cells = std::move(all.cells);
  return table;
}

}  // namespace postage
