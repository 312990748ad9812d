#include "tuning/decide/communicator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {

/// Its figures are those of its size and number of ranks with the least gain; one choice for all sizes has the means.
DecisionRule CommunicatorDecision::rule_of(const CoverRun& run, const Span<Bytes>& bytes,
                                           const std::vector<Rank>& others) const {
  DecisionRule rule{.collective = collective_, .bytes = bytes, .choice = choices_[run.choice]};
  Gain sum;
  double count = 0;
  for (const Rank ranks : measured_and(others)) {
    for (std::size_t cell = run.first; cell <= run.last; ++cell) {
      const TuningPoint here = point(sizes_[cell], ranks);
      const auto gain = estimates_.gain(here, choices_[run.choice]);
      if (!gain) {
        continue;
      }
      sum.share += gain->share;
      sum.interval.lower += gain->interval.lower;
      sum.interval.upper += gain->interval.upper;
      if (count++ == 0 || gain->interval.lower < rule.gain.interval.lower) {
        const Prediction& prediction = predictions_.of(here, choices_[run.choice]);
        rule.predicted = prediction.seconds;
        rule.predicted_interval = {prediction.lower, prediction.upper};
        rule.default_seconds = estimates_.standard(here).value_or(0);
        rule.gain = *gain;
      }
    }
  }
  if (needs_one_choice() && count > 0) {
    rule.gain.share = sum.share / count;
    rule.gain.interval = {sum.interval.lower / count, sum.interval.upper / count};
    rule.gain.source = GainSource::kMeasured;
  }
  return rule;
}

std::size_t CommunicatorDecision::best_beside_default(std::size_t cell) const {
  std::size_t best = 0;
  for (std::size_t choice = 1; choice < choices_.size(); ++choice) {
    const TimeEstimate own = estimate(cell, choice);
    if (own.measured && std::isfinite(own.seconds) && (best == 0 || own.seconds < estimate(cell, best).seconds)) {
      best = choice;
    }
  }
  return best;
}

void CommunicatorDecision::add_dropped(DecisionRule rule, const CommunicatorSpan& communicator,
                                       DecidedRules& decided) const {
  if (rule.gain.share > request_.least_gain / 2) {
    rule.communicators = communicator;
    double needed = request_.least_gain;
    for (const Bytes bytes : sizes_) {
      const TuningPoint here = point(bytes);
      needed = rule.bytes.contains(bytes) && estimates_.standard(here) ? std::max(needed, least_gain_at(here)) : needed;
    }
    decided.dropped.push_back({rule, fmt::format("saves {:.1f} % ({:.1f} to {:.1f} %) at the size with the least gain, "
                                                 "not surely above {:.3g} %",
                                                 100 * rule.gain.share, 100 * rule.gain.interval.lower,
                                                 100 * rule.gain.interval.upper, 100 * needed)});
  }
}

/// The default stays: what would have been the best instead, where it may be worth something.
void CommunicatorDecision::add_all_dropped(const CoverRun& run, const CommunicatorSpan& communicator,
                                           DecidedRules& decided) const {
  for (std::size_t cell = run.first; cell <= run.last;) {
    const std::size_t choice = best_beside_default(cell);
    std::size_t last = cell;
    while (last < run.last && best_beside_default(last + 1) == choice) {
      ++last;
    }
    if (choice != 0) {
      add_dropped(rule_of({cell, last, choice}, {sizes_[cell], sizes_[last]}, {}), communicator, decided);
    }
    cell = last + 1;
  }
}

void CommunicatorDecision::add_cells(const std::vector<CoverRun>& runs, const CommunicatorSpan& communicator,
                                     DecidedRules& decided) const {
  for (const CoverRun& run : runs) {
    for (std::size_t cell = run.first; cell <= run.last; ++cell) {
      const TimeEstimate own = estimate(cell, run.choice);
      const Seconds standard = estimate(cell, 0).seconds;
      if (std::isfinite(own.seconds) && std::isfinite(standard)) {
        decided.cells.push_back({.collective = collective_,
                                 .nodes = communicator.nodes.first,
                                 .ranks = ranks_.first,
                                 .bytes = sizes_[cell],
                                 .choice = choices_[run.choice],
                                 .tuned_seconds = own.seconds,
                                 .default_seconds = standard,
                                 .measured = own.measured});
      }
    }
  }
}

/// Rules of the number that was measured that do not hold for this part of the span.
void CommunicatorDecision::add_dropped_in_part(const std::vector<CoverRun>& found, const std::vector<Rank>& others,
                                               const CommunicatorSpan& communicator, DecidedRules& decided) const {
  for (const CoverRun& run : runs(evidence_of_rules())) {
    for (const CoverRun& here : found) {
      const CoverRun both{std::max(run.first, here.first), std::min(run.last, here.last), run.choice};
      if (run.choice == 0 || here.choice != 0 || both.first > both.last) {
        continue;
      }
      DecisionRule rule = rule_of(both, {sizes_[both.first], sizes_[both.last]}, others);
      rule.communicators = communicator;
      decided.dropped.push_back(
          {rule, fmt::format("saves {:.1f} % ({:.1f} to {:.1f} %) at the size and number of ranks with the least gain, "
                             "not surely above {:.0f} % as among {} ranks",
                             100 * rule.gain.share, 100 * rule.gain.interval.lower, 100 * rule.gain.interval.upper,
                             100 * request_.least_gain, ranks_.first)});
    }
  }
}

DecidedRules CommunicatorDecision::decide(const RankPart& part,
                                          const std::vector<CommunicatorSpan>& communicators) const {
  DecidedRules decided;
  const std::vector<CoverRun> found = without_lost_intervals(runs(evidence_of_rules(), part.others), part.others);
  for (std::size_t run = 0; run < found.size(); ++run) {
    for (const CommunicatorSpan& communicator : communicators) {
      if (found[run].choice != 0) {
        DecisionRule rule = rule_of(found[run], bytes_of(found, run, part.others), part.others);
        rule.communicators = communicator;
        decided.rules.push_back(std::move(rule));
      } else if (part.others.empty()) {
        add_all_dropped(found[run], communicator, decided);
      }
    }
  }
  if (part.others.empty()) {
    add_cells(found, communicators.front(), decided);
  } else {
    add_dropped_in_part(found, part.others, communicators.front(), decided);
  }
  return decided;
}

}  // namespace postage
