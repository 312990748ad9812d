// What a rule may do between two sizes: it is known at both of them at the most.
#include "tuning/decide/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

constexpr Bytes kWordBytes = 8;
/// A rule that would gain less than this somewhere between two sizes, by how it goes on from either side, is measured
/// there, too, as long as its sizes are farther apart than this.
constexpr double kDoubtfulGain = 0.1;
constexpr double kNearestSizes = 1.25;
/// Beside a rule's choice, others are measured at sizes that are added if they are estimated to take this much more
/// than the fastest at most.
constexpr double kNearBest = 0.1;
constexpr std::size_t kMostOthers = 3;

double logarithm_of_ratio(Bytes above, Bytes below) {
  return std::log(static_cast<double>(std::max<Bytes>(above, 1)) / static_cast<double>(std::max<Bytes>(below, 1)));
}

/// The size in the middle, or nothing where there is none between.
std::optional<Bytes> middle_of(Bytes below, Bytes above) {
  if (above <= kWordBytes) {
    return above - below > 1 ? std::optional((below + above) / 2) : std::nullopt;
  }
  const std::vector<Bytes> sizes = with_sizes_between({below, above});
  return sizes.size() > 2 ? std::optional(sizes[1]) : std::nullopt;
}

Bytes next_word(Bytes bytes) {
  return (bytes / kWordBytes + 1) * kWordBytes;
}

Bytes word_before(Bytes bytes) {
  return (bytes - 1) / kWordBytes * kWordBytes;
}

bool is_wide(Bytes below, Bytes above) {
  return logarithm_of_ratio(above, below) > std::log(kNearestSizes);
}

/// Where one choice's lead of `below` becomes the other's lead of `above`, in logarithms.
Bytes crossing(Bytes from, Bytes to, double below, double above) {
  const double share = below + above > 0 ? below / (below + above) : 0.5;
  const double first = static_cast<double>(std::max<Bytes>(from, 1)) * std::exp(share * logarithm_of_ratio(to, from));
  return std::clamp<Bytes>(std::llround(first), from + 1, to);
}

}  // namespace

bool CommunicatorDecision::holds_at(std::size_t cell, std::size_t choice, const std::vector<Rank>& others) const {
  return is_worthwhile(cell, choice, evidence_of_rules(), others);
}

/// Two rules meet where their times cross, if each is worth it at the other's size; else the one that is spans what
/// lies between. Where neither is, the default stays.
Span<Bytes> CommunicatorDecision::gap_between(const CoverRun& below, const CoverRun& above,
                                              const std::vector<Rank>& others) const {
  const Bytes from = sizes_[below.last];
  const Bytes to = sizes_[above.first];
  const bool is_cut = below.choice == 0 || above.choice == 0 || below.choice == above.choice;
  const std::vector<Rank> numbers = measured_and(others);
  // Of sizes that are close the gains at both are trusted.
  const auto is_lost = [&](const CoverRun& spanning) {
    return is_wide(from, to) && std::ranges::any_of(numbers, [&](Rank ranks) {
             return least_gain_between(spanning, below.last, ranks) < 0;
           });
  };
  const bool below_holds =
      !is_cut && holds_at(above.first, below.choice, others) && !is_lost({below.first, above.first, below.choice});
  const bool above_holds =
      !is_cut && holds_at(below.last, above.choice, others) && !is_lost({below.last, above.last, above.choice});
  if (below_holds && above_holds) {
    const auto lead = [&](std::size_t cell, std::size_t choice, std::size_t other) {
      return std::max(0.0, std::log(estimate(cell, other).seconds / estimate(cell, choice).seconds));
    };
    const Bytes first =
        crossing(from, to, lead(below.last, below.choice, above.choice), lead(above.first, above.choice, below.choice));
    return {first, first - 1};
  }
  return {below_holds ? to : from + 1, above_holds ? from : to - 1};
}

/// Beside the default a rule ends at the last size that it was measured at.
Span<Bytes> CommunicatorDecision::bytes_of(const std::vector<CoverRun>& runs, std::size_t run,
                                           const std::vector<Rank>& others) const {
  if (needs_one_choice() || collective_ == Collective::kBarrier) {
    return {};
  }
  return {run == 0 ? 0 : gap_between(runs[run - 1], runs[run], others).last + 1,
          run + 1 == runs.size() ? sizes_[runs[run].last] : gap_between(runs[run], runs[run + 1], others).first - 1};
}

/// The least gain between a cell and the next one: at both, and at each of them as it would be if the gain went on as
/// it does on the other's far side. The default may be another algorithm from any size on.
double CommunicatorDecision::least_gain_between(const CoverRun& run, std::size_t cell, Rank ranks) const {
  const auto log_ratio = [&](std::size_t at) {
    const std::optional<Gain> gain = estimates_.gain(point(sizes_[at], ranks), choices_[run.choice]);
    return gain ? std::log(1 - gain->share) : std::numeric_limits<double>::infinity();
  };
  // As it goes on from the nearest size that is far enough for a trend.
  const auto beyond = [&](std::size_t near, std::size_t end, std::size_t farthest) {
    const auto is_far = [&](std::size_t at) {
      return is_wide(std::min(sizes_[at], sizes_[near]), std::max(sizes_[at], sizes_[near]));
    };
    std::size_t far = near;
    while (far != farthest && !is_far(far)) {
      far = farthest > far ? far + 1 : far - 1;
    }
    if (!is_far(far)) {
      return log_ratio(near);
    }
    const double slope = (log_ratio(near) - log_ratio(far)) / logarithm_of_ratio(sizes_[near], sizes_[far]);
    return log_ratio(near) + slope * logarithm_of_ratio(sizes_[end], sizes_[near]);
  };
  const double most = std::max(
      {log_ratio(cell), log_ratio(cell + 1), beyond(cell, cell + 1, run.first), beyond(cell + 1, cell, run.last)});
  return 1 - std::exp(most);
}

/// Rules end and begin anew where they would be slower than the default between two sizes.
std::vector<CoverRun> CommunicatorDecision::without_lost_intervals(const std::vector<CoverRun>& runs,
                                                                   const std::vector<Rank>& others) const {
  if (needs_one_choice()) {
    return runs;
  }
  const std::vector<Rank> numbers = measured_and(others);
  std::vector<CoverRun> parts;
  for (CoverRun run : runs) {
    const CoverRun whole = run;
    for (std::size_t cell = whole.first; whole.choice != 0 && cell < whole.last; ++cell) {
      // Of sizes that are close the gains at both are trusted.
      if (is_wide(sizes_[cell], sizes_[cell + 1]) &&
          std::ranges::any_of(numbers, [&](Rank ranks) { return least_gain_between(whole, cell, ranks) < 0; })) {
        parts.push_back({run.first, cell, run.choice});
        run.first = cell + 1;
      }
    }
    parts.push_back(run);
  }
  return parts;
}

void CommunicatorDecision::refine_within(const CoverRun& run, std::vector<TimingRequest>& requests) {
  for (std::size_t cell = run.last; cell-- > run.first;) {
    if (is_wide(sizes_[cell], sizes_[cell + 1]) && least_gain_between(run, cell, ranks_.first) < kDoubtfulGain) {
      refine_between(cell, size_before_or_middle(cell), run.choice, requests);
    }
  }
}

/// Libraries decide by round sizes, so that a default that changes between two sizes mostly does so at the larger one:
/// what it does until there is seen beside it. Nothing where that was measured.
std::optional<Bytes> CommunicatorDecision::size_before(std::size_t cell) const {
  const Bytes above = sizes_[cell + 1];
  const bool is_beside = cell + 2 < sizes_.size() && sizes_[cell + 2] == next_word(above);
  const Bytes before = word_before(above);
  return is_beside || before <= sizes_[cell] ? std::nullopt : std::optional(before);
}

/// Or just behind the smaller one, which may be the last of the default's.
std::optional<Bytes> CommunicatorDecision::size_behind(std::size_t cell) const {
  const Bytes below = sizes_[cell];
  const bool is_beside = cell > 0 && next_word(sizes_[cell - 1]) == below;
  const Bytes behind = next_word(below);
  return is_beside || behind >= sizes_[cell + 1] ? std::nullopt : std::optional(behind);
}

/// Once that was measured, the size in the middle.
std::optional<Bytes> CommunicatorDecision::size_before_or_middle(std::size_t cell) const {
  const std::optional<Bytes> before = size_before(cell);
  return before ? before : middle_of(sizes_[cell], sizes_[cell + 1]);
}

std::optional<Bytes> CommunicatorDecision::size_behind_or_middle(std::size_t cell) const {
  const std::optional<Bytes> behind = size_behind(cell);
  return behind ? behind : middle_of(sizes_[cell], sizes_[cell + 1]);
}

void CommunicatorDecision::refine_between(std::size_t cell, std::optional<Bytes> bytes, std::size_t choice,
                                          std::vector<TimingRequest>& requests) {
  if (bytes) {
    add_size(cell + 1, *bytes);
    request_at(cell + 1, choice, requests);
  }
}

/// True where it was measured to be worth it at a size of another rule, too.
bool CommunicatorDecision::spans(const CoverRun& run, std::size_t other) const {
  return is_measured(other, run.choice) && is_worthwhile(other, run.choice, Evidence::kMeasured, {});
}

/// The same, but it may not be between the two sizes: at the cell's and at the next one's.
bool CommunicatorDecision::spans_doubtfully(const CoverRun& run, std::size_t other, std::size_t cell) const {
  const CoverRun spanning{std::min(run.first, other), std::max(run.last, other), run.choice};
  return spans(run, other) && least_gain_between(spanning, cell, ranks_.first) < kDoubtfulGain;
}

/// Each of two rules at the other's size, and both between them where neither is worth it there or one that is gains
/// little. However much it gains there, the other one is faster, and may be what the default becomes just behind its
/// size or was until just before.
void CommunicatorDecision::refine_between_rules(const CoverRun& below, const CoverRun& above,
                                                std::vector<TimingRequest>& requests) {
  const auto refine_both = [&](std::optional<Bytes> bytes) {
    const std::size_t between = below.last + 1;
    if (bytes) {
      add_size(between, *bytes);
      request_at(between, below.choice, requests);
      if (is_possible(between, above.choice)) {
        requests.push_back({point(*bytes), {choices_[above.choice]}});
      }
    }
  };
  const auto is_lost = [&](std::size_t cell, std::size_t choice) {
    return !is_possible(cell, choice) ||
           (is_measured(cell, choice) && !is_worthwhile(cell, choice, Evidence::kMeasured, {}));
  };
  if (is_lost(above.first, below.choice) && is_lost(below.last, above.choice)) {
    refine_both(middle_of(sizes_[below.last], sizes_[above.first]));
    return;
  }
  request_at(above.first, below.choice, requests);
  request_at(below.last, above.choice, requests);
  if (!is_wide(sizes_[below.last], sizes_[above.first])) {
    return;
  }
  const std::optional<Bytes> behind = spans(above, below.last) ? size_behind(below.last) : std::nullopt;
  if (spans_doubtfully(below, above.first, below.last) || spans_doubtfully(above, below.last, below.last)) {
    refine_both(size_before_or_middle(below.last));
  } else if (behind) {
    refine_both(behind);
  } else if (spans(below, above.first)) {
    refine_both(size_before(below.last));
  }
}

/// The default, the choice if it can be had there, and others that may be faster, unless they were measured.
void CommunicatorDecision::request_at(std::size_t cell, std::size_t choice,
                                      std::vector<TimingRequest>& requests) const {
  std::vector<std::pair<Seconds, std::size_t>> order;
  for (std::size_t other = 1; other < choices_.size(); ++other) {
    if (is_possible(cell, other)) {
      order.emplace_back(estimate(cell, other).seconds, other);
    }
  }
  std::sort(order.begin(), order.end());
  TimingRequest request{point(sizes_[cell]), {}};
  std::size_t others = 0;
  for (const auto& [seconds, other] : order) {
    const bool is_near = seconds <= (1 + kNearBest) * order.front().first && others++ < kMostOthers;
    if ((other == choice || is_near) && !is_measured(cell, other)) {
      request.choices.push_back(choices_[other]);
    }
  }
  requests.push_back(std::move(request));
}

std::vector<TimingRequest> CommunicatorDecision::refine() {
  std::vector<TimingRequest> requests;
  if (needs_one_choice()) {
    return requests;
  }
  const std::vector<CoverRun> found = runs(Evidence::kMeasured);
  // From the last run on: a size that is added moves those behind it.
  for (std::size_t run = found.size(); run-- > 0;) {
    if (found[run].choice != 0) {
      refine_within(found[run], requests);
    }
    if (run == 0) {
      break;
    }
    const CoverRun& below = found[run - 1];
    if (below.choice != 0 && found[run].choice != 0) {
      refine_between_rules(below, found[run], requests);
    } else if (below.choice != 0) {
      refine_between(below.last, size_before_or_middle(below.last), below.choice, requests);
    } else {
      refine_between(below.last, size_behind_or_middle(below.last), found[run].choice, requests);
    }
  }
  return requests;
}

}  // namespace postage
