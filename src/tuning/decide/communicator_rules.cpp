#include "tuning/decide/communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Where one rule ends and the next begins, between two measured sizes.
Bytes boundary(Bytes below, Bytes above) {
  const double product = static_cast<double>(std::max<Bytes>(below, 1)) * static_cast<double>(above);
  return std::max<Bytes>(below + 1, std::llround(std::sqrt(product)));
}

}  // namespace

/// A rule beside another one meets it halfway; beside the default it ends at the last size that it was measured at.
Span<Bytes> CommunicatorDecision::bytes_of(const std::vector<CoverRun>& runs, std::size_t run) const {
  const CoverRun& own = runs[run];
  if (needs_one_choice() || collective_ == Collective::kBarrier) {
    return {};
  }
  Span<Bytes> bytes{run == 0 ? 0 : sizes_[own.first], sizes_[own.last]};
  if (run > 0 && runs[run - 1].choice != 0) {
    bytes.first = boundary(sizes_[own.first - 1], sizes_[own.first]);
  }
  if (run + 1 < runs.size() && runs[run + 1].choice != 0) {
    bytes.last = boundary(sizes_[own.last], sizes_[own.last + 1]) - 1;
  }
  return bytes;
}

/// Its figures are those of its size with the least gain; one choice for all sizes has the means.
DecisionRule CommunicatorDecision::rule_of(const CoverRun& run, const Span<Bytes>& bytes, Rank ranks) const {
  DecisionRule rule{.collective = collective_, .bytes = bytes, .choice = choices_[run.choice]};
  bool is_first = true;
  for (std::size_t cell = run.first; cell <= run.last; ++cell) {
    const auto gain = estimates_.gain(point(sizes_[cell], ranks), choices_[run.choice]);
    if (!gain || (!is_first && gain->interval.lower >= rule.gain.interval.lower)) {
      continue;
    }
    is_first = false;
    const Prediction& prediction = predictions_.of(point(sizes_[cell], ranks), choices_[run.choice]);
    rule.predicted = prediction.seconds;
    rule.predicted_interval = {prediction.lower, prediction.upper};
    rule.default_seconds = estimates_.standard(point(sizes_[cell], ranks)).value_or(0);
    rule.gain = *gain;
  }
  if (needs_one_choice() && !is_first) {
    Gain mean{.source = GainSource::kMeasured, .pairs = rule.gain.pairs, .sign_test = rule.gain.sign_test};
    const auto cells = static_cast<double>(run.last - run.first + 1);
    for (std::size_t cell = run.first; cell <= run.last; ++cell) {
      const Gain gain = estimates_.gain(point(sizes_[cell], ranks), choices_[run.choice]).value_or(Gain{});
      mean.share += gain.share / cells;
      mean.interval.lower += gain.interval.lower / cells;
      mean.interval.upper += gain.interval.upper / cells;
    }
    rule.gain = mean;
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
    decided.dropped.push_back({rule, fmt::format("saves {:.1f} % ({:.1f} to {:.1f} %) at the size with the least gain, "
                                                 "not surely above {:.0f} %",
                                                 100 * rule.gain.share, 100 * rule.gain.interval.lower,
                                                 100 * rule.gain.interval.upper, 100 * request_.least_gain)});
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
      add_dropped(rule_of({cell, last, choice}, {sizes_[cell], sizes_[last]}, span_.measured), communicator, decided);
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
                                 .ranks = span_.measured,
                                 .bytes = sizes_[cell],
                                 .choice = choices_[run.choice],
                                 .tuned_seconds = own.seconds,
                                 .default_seconds = standard,
                                 .measured = own.measured});
      }
    }
  }
}

/// Rules of the number that was measured that do not hold at this end of the span.
void CommunicatorDecision::add_dropped_at_end(const std::vector<CoverRun>& found, Rank end,
                                              const CommunicatorSpan& communicator, DecidedRules& decided) const {
  for (const CoverRun& run : runs(evidence_of_rules())) {
    for (const CoverRun& here : found) {
      const CoverRun both{std::max(run.first, here.first), std::min(run.last, here.last), run.choice};
      if (run.choice == 0 || here.choice != 0 || both.first > both.last) {
        continue;
      }
      DecisionRule rule = rule_of(both, {sizes_[both.first], sizes_[both.last]}, end);
      rule.communicators = communicator;
      decided.dropped.push_back(
          {rule, fmt::format("saves {:.1f} % ({:.1f} to {:.1f} %) among {} ranks at the size with "
                             "the least gain, not surely above {:.0f} % as among {}",
                             100 * rule.gain.share, 100 * rule.gain.interval.lower, 100 * rule.gain.interval.upper, end,
                             100 * request_.least_gain, span_.measured)});
    }
  }
}

DecidedRules CommunicatorDecision::decide(const RankSpan& part,
                                          const std::vector<CommunicatorSpan>& communicators) const {
  DecidedRules decided;
  const std::vector<CoverRun> found = runs(evidence_of_rules(), part.measured);
  const bool is_measured_part = part.measured == span_.measured;
  for (std::size_t run = 0; run < found.size(); ++run) {
    for (const CommunicatorSpan& communicator : communicators) {
      if (found[run].choice == 0) {
        if (is_measured_part) {
          add_all_dropped(found[run], communicator, decided);
        }
        continue;
      }
      DecisionRule rule = rule_of(found[run], bytes_of(found, run), part.measured);
      rule.communicators = communicator;
      decided.rules.push_back(std::move(rule));
    }
  }
  if (is_measured_part) {
    add_cells(found, communicators.front(), decided);
  } else {
    add_dropped_at_end(found, part.measured, communicators.front(), decided);
  }
  return decided;
}

}  // namespace postage
