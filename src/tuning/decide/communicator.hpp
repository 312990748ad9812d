#pragma once

#include "tuning/decide/cover.hpp"
#include "tuning/decide/estimates.hpp"
#include "tuning/measure/timer.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace postage {

/// The rules that were found and those that were dropped.
struct DecidedRules {
  std::vector<DecisionRule> rules;
  std::vector<DroppedRule> dropped;
  std::vector<DecisionCell> cells;
};

/// A choice in the place of the best one for the sake of fewer rules may take so much longer.
inline constexpr double kMergingLoss = 0.01;

/// What a rule's gain must be known from.
enum class Evidence : std::uint8_t { kPredicted, kMeasured, kProven };

/// Decides for one collective among one number of ranks, and for the numbers between it and the next one that is
/// measured.
class CommunicatorDecision {
 public:
  /// The first of `ranks` is measured, and so is the number behind the last one.
  CommunicatorDecision(const TuneRequest& request, Collective collective, const Span<Rank>& ranks,
                       ChoicePredictions& predictions, const MeasuredTimes& times);

  /// The next number that is measured has become nearer.
  void end_before(Rank next) { ranks_.last = next - 1; }
  [[nodiscard]] const Span<Rank>& ranks() const { return ranks_; }

  /// The default at all sizes, and at the sizes of the request the choices whose predicted time may be the shortest:
  /// within the margin of the shortest, or with an interval that reaches below the end of that one's. All choices at
  /// all sizes where the request is exhaustive.
  [[nodiscard]] std::vector<TimingRequest> contenders() const;
  /// Choices that are as fast as the best measured one now that predictions are corrected by what was measured; at the
  /// sizes of the request, where that one takes longer than any was predicted to, all within the margin of it.
  [[nodiscard]] std::vector<TimingRequest> further_contenders() const;
  /// Adds a size between each two neighbours of which one has a rule and the other the default, and within rules where
  /// little may be gained between two sizes, and asks for the default, the rule's choice and others that may be fast
  /// there: the default changes its mind somewhere between. Where two rules meet, asks for each at the other's size.
  [[nodiscard]] std::vector<TimingRequest> refine();
  /// What the rules that would be made now have not been measured with beside the default.
  [[nodiscard]] std::vector<TimingRequest> unproven() const;
  /// Each size of each rule that would be made now, and the neighbouring one of another rule: at the next measured
  /// number where the rule may hold for numbers between, and, where times are real, once more at the own one, since of
  /// many choices whose times scatter the one that seemed the best was lucky.
  [[nodiscard]] std::vector<TimingRequest> to_be_proven() const;
  /// What the rules for the numbers between would lose to the best choice at this number or at the next one, at the
  /// size at which that is the most: a share of the best time. Says how alike the two are.
  [[nodiscard]] double loss_between(const CommunicatorDecision& next) const;
  /// Rules for communicators in a part of the span (parts_of), of choices that were measured at each of their sizes,
  /// and that are worth it among the part's others, too.
  [[nodiscard]] DecidedRules decide(const RankPart& part, const std::vector<CommunicatorSpan>& communicators) const;

 private:
  [[nodiscard]] std::vector<Rank> measured_and(const std::vector<Rank>& others) const;
  [[nodiscard]] TuningPoint point(Bytes bytes) const { return point(bytes, ranks_.first); }
  [[nodiscard]] TuningPoint point(Bytes bytes, Rank ranks) const { return {collective_, ranks, bytes}; }
  void add_size(std::size_t cell, Bytes bytes);
  /// A size of the request.
  [[nodiscard]] bool is_coarse(std::size_t cell) const;
  [[nodiscard]] double margin_now(std::size_t cell, Seconds fastest) const;
  /// What a violated guideline names there.
  void add_suspected(std::size_t cell, TimingRequest& request) const;
  [[nodiscard]] TimeEstimate estimate(std::size_t cell, std::size_t choice) const;
  [[nodiscard]] bool is_possible(std::size_t cell, std::size_t choice) const;
  [[nodiscard]] bool is_measured(std::size_t cell, std::size_t choice) const;
  /// Among all numbers up to the next one that is measured.
  [[nodiscard]] bool is_possible_between(std::size_t cell, std::size_t choice) const;
  [[nodiscard]] double loss_at(Bytes bytes, const DecisionChoice& choice) const;
  /// Simulated times are the same again: what was measured once is proven.
  [[nodiscard]] Evidence evidence_of_rules() const {
    return request_.target == TuningTarget::kSmpi ? Evidence::kMeasured : Evidence::kProven;
  }
  /// That of a choice that was measured there, as `least` wants it.
  [[nodiscard]] std::optional<Gain> known_gain(const TuningPoint& point, std::size_t choice, Evidence least) const;
  /// The least lower end of its intervals among these numbers of ranks; of a choice that was not measured no gain is
  /// sure.
  [[nodiscard]] double least_gain_of(std::size_t cell, std::size_t choice, Evidence least,
                                     const std::vector<Rank>& numbers) const;
  [[nodiscard]] bool is_enough(const TuningPoint& point, const Gain& gain) const;
  /// Below which no gain is enough, with what a rule of MPICH costs.
  [[nodiscard]] double least_gain_at(const TuningPoint& point) const;
  /// Of the default's time, what forcing spares in MPICH, or what its file asks for where the default was forced, too;
  /// 0 of others. The default must have been measured.
  [[nodiscard]] double spared_share(const TuningPoint& point, Seconds by_mpich) const;
  using GainTest = std::function<bool(const TuningPoint&, const Gain&)>;
  /// True where the gain of a choice that was measured is known among the number that was measured and all others, and
  /// passes.
  [[nodiscard]] bool is_known_among(std::size_t cell, std::size_t choice, Evidence least,
                                    const std::vector<Rank>& others, const GainTest& holds) const;
  [[nodiscard]] bool is_worthwhile(std::size_t cell, std::size_t choice, Evidence least,
                                   const std::vector<Rank>& others) const;
  [[nodiscard]] bool is_harmless(std::size_t cell, std::size_t choice, Evidence least,
                                 const std::vector<Rank>& others) const;
  /// Runs of one choice with the default between them that it may as well hold for, too: a library asks for the size of
  /// a message at every call, once for each end of a rule. O(cells).
  [[nodiscard]] std::vector<CoverRun> joined(const std::vector<CoverRun>& runs, Evidence least,
                                             const std::vector<Rank>& others) const;
  [[nodiscard]] bool needs_one_choice() const;
  /// Of choices that hold for the number that was measured and for `others`.
  [[nodiscard]] std::vector<CoverRun> runs(Evidence least, const std::vector<Rank>& others) const;
  [[nodiscard]] std::vector<CoverRun> runs(Evidence least) const { return runs(least, {}); }
  [[nodiscard]] std::vector<CoverRun> one_run(Evidence least, const std::vector<Rank>& others) const;
  [[nodiscard]] CoveredCell covered(std::size_t cell, Evidence least, const std::vector<Rank>& others) const;
  [[nodiscard]] std::size_t best_beside_default(std::size_t cell) const;
  [[nodiscard]] bool holds_at(std::size_t cell, std::size_t choice, const std::vector<Rank>& others) const;
  /// Sizes between two runs that belong to neither: the default's. Of none that begin where the second run does.
  [[nodiscard]] Span<Bytes> gap_between(const CoverRun& below, const CoverRun& above,
                                        const std::vector<Rank>& others) const;
  [[nodiscard]] Span<Bytes> bytes_of(const std::vector<CoverRun>& runs, std::size_t run,
                                     const std::vector<Rank>& others) const;
  [[nodiscard]] double least_gain_between(const CoverRun& run, std::size_t cell, Rank ranks) const;
  [[nodiscard]] std::vector<CoverRun> without_lost_intervals(const std::vector<CoverRun>& runs,
                                                             const std::vector<Rank>& others) const;
  [[nodiscard]] std::optional<Bytes> size_before_or_middle(std::size_t cell) const;
  [[nodiscard]] std::optional<Bytes> size_before(std::size_t cell) const;
  [[nodiscard]] std::optional<Bytes> size_behind(std::size_t cell) const;
  [[nodiscard]] std::optional<Bytes> size_behind_or_middle(std::size_t cell) const;
  void refine_within(const CoverRun& run, std::vector<TimingRequest>& requests);
  [[nodiscard]] std::optional<Bytes> probe_between(std::size_t cell, const std::vector<std::size_t>& choices,
                                                   std::vector<TimingRequest>& requests) const;
  [[nodiscard]] std::optional<Bytes> middle_behind(std::size_t cell) const;
  [[nodiscard]] bool is_even(Bytes bytes) const;
  [[nodiscard]] std::optional<Bytes> uneven_size_between(std::size_t cell) const;
  [[nodiscard]] bool may_leap_into_loss(std::size_t cell, std::size_t choice) const;
  [[nodiscard]] bool leaps_up_into_loss(std::size_t cell, std::size_t choice) const;
  [[nodiscard]] bool leaps_down_out_of_loss(std::size_t cell, std::size_t choice) const;
  [[nodiscard]] Seconds continued(std::size_t cell, std::size_t choice) const;
  /// As it would be if the choice's own time grew evenly from this size to the next one.
  [[nodiscard]] Seconds interpolated(std::size_t cell, std::size_t choice, Bytes bytes) const;
  [[nodiscard]] bool spans(const CoverRun& run, std::size_t other) const;
  [[nodiscard]] bool spans_doubtfully(const CoverRun& run, std::size_t other, std::size_t cell) const;
  void refine_between_rules(const CoverRun& below, const CoverRun& above, std::vector<TimingRequest>& requests);
  void refine_between(std::size_t cell, std::optional<Bytes> bytes, std::size_t choice,
                      std::vector<TimingRequest>& requests);
  void refine_end(std::size_t cell, std::optional<Bytes> bytes, std::size_t choice, std::size_t of_default,
                  std::vector<TimingRequest>& requests);
  void request_at(std::size_t cell, std::size_t choice, std::vector<TimingRequest>& requests) const;
  [[nodiscard]] DecisionRule rule_of(const CoverRun& run, const Span<Bytes>& bytes,
                                     const std::vector<Rank>& others) const;
  void add_dropped(DecisionRule rule, const CommunicatorSpan& communicator, DecidedRules& decided) const;
  void add_all_dropped(const CoverRun& run, const CommunicatorSpan& communicator, DecidedRules& decided) const;
  void add_dropped_in_part(const std::vector<CoverRun>& found, const std::vector<Rank>& others,
                           const CommunicatorSpan& communicator, DecidedRules& decided) const;
  void add_cells(const std::vector<CoverRun>& runs, const CommunicatorSpan& communicator, DecidedRules& decided) const;

  const TuneRequest& request_;
  Collective collective_;
  Span<Rank> ranks_;
  ChoicePredictions& predictions_;
  TimeEstimates estimates_;
  std::vector<Bytes> coarse_;
  std::vector<Bytes> sizes_;                 ///< [cell]
  std::vector<DecisionChoice> choices_;      ///< [choice]; the first is the default
  std::vector<std::vector<bool>> possible_;  ///< [cell][choice]
};

}  // namespace postage
