#include "tuning/decide/communicator.hpp"
#include "tuning/decide/merge.hpp"
#include "tuning/decide/platform_choice.hpp"

#include <postage/tuning/tune.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace postage {
namespace {

/// Contenders that follow from corrected predictions are measured so often at most, and rules so often proven.
constexpr int kMostCorrections = 2;
constexpr int kMostProofs = 4;
/// The end of a rule beside the default is looked for so often between two sizes: beside one of them, then by halving.
constexpr int kMostRefinementsOfEnds = 10;
/// Of the time for measuring.
constexpr double kShareOfContenders = 0.35;
constexpr double kShareOfEachCorrection = 0.05;
constexpr double kShareOfEachProof = 0.03;
constexpr double kShareOfEachRefinement = 0.009;
constexpr double kShareOfProof = 0.3;
/// Numbers of ranks are added, in the middle, so often at most, between two whose rules for the numbers between lose
/// more than this at either.
constexpr int kMostRefinementsOfNumbers = 5;
constexpr double kMostLossBetween = 0.05;
/// Of the time for measuring, where numbers may be added.
constexpr double kShareOfFirstNumbers = 0.5;
constexpr double kShareOfAddedNumbers = 0.1;

/// One placement of ranks: all collectives and communicators on it.
class JobTuning {
 public:
  JobTuning(const TuneRequest& request, const Platform& platform, const TuningJob& job)
      : request_(request),
        job_(job),
        model_(model_for(platform, job)),
        predictions_(request_, model_),
        times_(kept_times(request, job, "")) {
    for (const Collective collective : request.collectives) {
      for (const Span<Rank>& ranks : spans_from(numbers_for(collective))) {
        add(collective, ranks);
      }
    }
  }

  void measure(ChoiceTimer& timer) {
    // Simulated times are exact: where two numbers of ranks seem to differ they do.
    const bool adds_numbers = request_.target == TuningTarget::kSmpi;
    share_ = adds_numbers ? kShareOfFirstNumbers : 1;
    measure_new(timer);
    share_ = kShareOfAddedNumbers;
    for (int i = 0; adds_numbers && i < kMostRefinementsOfNumbers && add_numbers(); ++i) {
      measure_new(timer);
    }
  }

  [[nodiscard]] DecidedRules decide() const {
    DecidedRules all;
    const bool is_only_job = request_.jobs.size() == 1;
    for (const Collective collective : request_.collectives) {
      for (const auto& [ranks, decision] : decisions_.at(collective)) {
        tell("deciding", spent_);
        for (const RankPart& part : parts_of(decision.ranks())) {
          DecidedRules own = decision.decide(part, communicator_spans(part.ranks, job_, is_only_job));
          std::move(own.rules.begin(), own.rules.end(), std::back_inserter(all.rules));
          std::move(own.dropped.begin(), own.dropped.end(), std::back_inserter(all.dropped));
          std::move(own.cells.begin(), own.cells.end(), std::back_inserter(all.cells));
        }
      }
    }
    return all;
  }

 private:
  using RequestsOf = std::function<std::vector<TimingRequest>(CommunicatorDecision&)>;

  /// With those at which guidelines are violated.
  [[nodiscard]] std::vector<Rank> numbers_for(Collective collective) const {
    const std::vector<Rank> first = first_numbers(job_.ranks());
    std::set<Rank> numbers(first.begin(), first.end());
    for (const SuspectedPoint& point : request_.suspected) {
      if (point.collective == collective && point.ranks >= first.front() && point.ranks <= first.back()) {
        numbers.insert(point.ranks);
      }
    }
    return alternating({numbers.begin(), numbers.end()});
  }

  void add(Collective collective, const Span<Rank>& ranks) {
    tell("predicting", spent_);
    const auto [added, is_new] = decisions_[collective].try_emplace(
        ranks.first, CommunicatorDecision(request_, collective, ranks, predictions_, times_));
    new_.push_back(&added->second);
  }

  /// Adds numbers in the middle between two that one rule does not fit; false where there is nothing to add.
  bool add_numbers() {
    new_.clear();
    for (const Collective collective : request_.collectives) {
      std::vector<Span<Rank>> added;
      std::map<Rank, CommunicatorDecision>& decisions = decisions_.at(collective);
      for (auto next = std::next(decisions.begin()); next != decisions.end(); ++next) {
        CommunicatorDecision& decision = std::prev(next)->second;
        const Span<Rank> ranks = decision.ranks();
        const std::vector<Rank> middle = middle_pair(ranks.first, next->first);
        if (!middle.empty() && decision.loss_between(next->second) > kMostLossBetween) {
          added.insert(added.end(), {{middle[0], middle[0]}, {middle[1], ranks.last}});
          decision.end_before(middle[0]);
          changed_.push_back(&decision);
        }
      }
      for (const Span<Rank>& span : added) {
        add(collective, span);
      }
    }
    return !new_.empty();
  }

  /// What is needed to decide for the numbers of ranks that are new, and for those before them.
  void measure_new(ChoiceTimer& timer) {
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
    new_.insert(new_.end(), changed_.begin(), changed_.end());
    changed_.clear();
    measure(timer, "comparing rules with the default", kShareOfProof, &CommunicatorDecision::to_be_proven, true);
  }

  void measure(ChoiceTimer& timer, const std::string& what, double of_share, const RequestsOf& requests_of,
               bool again = false) {
    const double share = share_ * of_share;
    std::vector<TimingRequest> requests;
    for (CommunicatorDecision* decision : new_) {
      tell(what, spent_);
      const std::vector<TimingRequest> own = requests_of(*decision);
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
  std::map<Collective, std::map<Rank, CommunicatorDecision>> decisions_;  ///< by the number that is measured
  std::vector<CommunicatorDecision*> new_;                                ///< not measured yet
  std::vector<CommunicatorDecision*> changed_;                            ///< the next measured number is another one
  double share_ = 1;                                                      ///< of the time, for those that are new
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
