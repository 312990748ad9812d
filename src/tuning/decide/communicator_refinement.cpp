// Which sizes between those of the request are measured: beside the ends of rules, and where a rule may lose.
#include "tuning/decide/communicator.hpp"
#include "tuning/decide/neighbouring_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// A rule that would gain less than this somewhere between two sizes, by how it goes on from either side, is measured
/// there, too, as long as its sizes are far enough apart.
constexpr double kDoubtfulGain = 0.1;
/// Beside a rule's choice, others are measured at sizes that are added if they are estimated to take this much more
/// than the fastest at most.
constexpr double kNearBest = 0.1;
constexpr std::size_t kMostOthers = 3;

/// So many eighths of a usual segment further on. Times of messages that go in segments depend on what remains for the
/// last one: SMPI's bcast of `ompi` among 11 ranks takes 2.3 to 4.7 ms at 131,072 to 139,264 bytes, and so on again.
/// Nothing of sizes that go in none.
std::optional<Bytes> remaining_after(Bytes below, int eighths) {
  constexpr Bytes kUsualSegment = 8192;
  return below >= 2 * kUsualSegment ? std::optional(next_word(below + eighths * kUsualSegment / 8)) : std::nullopt;
}

/// Up to here half words are sizes, too: three floats. MPICH's allreduce of one double is another algorithm than that
/// of three floats, which is the one of two doubles.
constexpr Bytes kMostHalfWords = 8 * kWordBytes;

/// A choice's time between two sizes may be so much more than what lies between its times there: it has steps, too.
constexpr double kMoreThanInterpolated = 1.15;

}  // namespace

/// Of as many words for each rank: where messages are split, such sizes say too little of those beside them. `lr` of
/// SMPI takes a tenth more where some words remain.
bool CommunicatorDecision::is_even(Bytes bytes) const {
  const bool is_split = collective_ == Collective::kBcast || is_reduction(collective_);
  return is_split && bytes % (kWordBytes * ranks_.first) == 0;
}

/// In the middle, where nothing else is known between two even sizes.
std::optional<Bytes> CommunicatorDecision::uneven_size_between(std::size_t cell) const {
  return is_even(sizes_[cell]) && is_even(sizes_[cell + 1]) ? middle_behind(cell) : std::nullopt;
}

/// Between a cell's size and the next one, uneven if possible; nothing where there is no room.
std::optional<Bytes> CommunicatorDecision::middle_behind(std::size_t cell) const {
  const Bytes below = sizes_[cell];
  const Bytes above = sizes_[cell + 1];
  if (above <= kWordBytes) {
    return above - below > 1 ? std::optional((below + above) / 2) : std::nullopt;
  }
  if (above <= kMostHalfWords && above - below == kWordBytes) {
    return below + kWordBytes / 2;
  }
  const std::vector<Bytes> sizes = with_sizes_between({below, above});
  if (sizes.size() <= 2) {
    return std::nullopt;
  }
  return is_even(sizes[1]) && next_word(sizes[1]) < above ? next_word(sizes[1]) : sizes[1];
}

void CommunicatorDecision::refine_within(const CoverRun& run, std::vector<TimingRequest>& requests) {
  for (std::size_t cell = run.last; cell-- > run.first;) {
    std::optional<Bytes> bytes;
    if (!is_wide(sizes_[cell], sizes_[cell + 1])) {
      bytes = may_leap_into_loss(cell, run.choice) ? middle_behind(cell) : std::nullopt;
    } else if (least_gain_between(run, cell, ranks_.first) < kDoubtfulGain) {
      bytes = size_before_or_middle(cell);
    } else {
      bytes = probe_between(cell, {run.choice}, requests);
    }
    refine_between(cell, bytes ? bytes : uneven_size_between(cell), run.choice, requests);
  }
}

Seconds CommunicatorDecision::interpolated(std::size_t cell, std::size_t choice, Bytes bytes) const {
  const double share = logarithm_of_ratio(bytes, sizes_[cell]) / logarithm_of_ratio(sizes_[cell + 1], sizes_[cell]);
  return std::pow(estimate(cell, choice).seconds, 1 - share) * std::pow(estimate(cell + 1, choice).seconds, share);
}

/// However much rules gain at a cell's size and at the next one, the default may become another, faster algorithm
/// between them, and a slow one again: it alone is measured beside both and in the middle, and where other parts of a
/// segment remain. Of these the first size at which it is faster than one of the choices may be.
std::optional<Bytes> CommunicatorDecision::probe_between(std::size_t cell, const std::vector<std::size_t>& choices,
                                                         std::vector<TimingRequest>& requests) const {
  const Bytes below = sizes_[cell];
  const Bytes above = sizes_[cell + 1];
  for (const std::optional<Bytes> bytes :
       {std::optional(next_word(below)), middle_behind(cell), std::optional(word_before(above)),
        remaining_after(below, 3), remaining_after(below, 6)}) {
    if (!bytes || *bytes <= below || *bytes >= above) {
      continue;
    }
    const std::optional<Seconds> standard = estimates_.standard(point(*bytes));
    if (!standard) {
      requests.push_back({point(*bytes), {}});
      continue;
    }
    const Seconds enough = *standard * (1 - request_.least_gain) / kMoreThanInterpolated;
    if (std::ranges::any_of(choices, [&](std::size_t choice) { return interpolated(cell, choice, *bytes) > enough; })) {
      return bytes;
    }
  }
  return {};
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
  return before ? before : middle_behind(cell);
}

std::optional<Bytes> CommunicatorDecision::size_behind_or_middle(std::size_t cell) const {
  const std::optional<Bytes> behind = size_behind(cell);
  return behind ? behind : middle_behind(cell);
}

void CommunicatorDecision::refine_between(std::size_t cell, std::optional<Bytes> bytes, std::size_t choice,
                                          std::vector<TimingRequest>& requests) {
  if (bytes) {
    add_size(cell + 1, *bytes);
    request_at(cell + 1, choice, requests);
  }
}

/// The end of a rule beside a size of the default's, between the cell's size and the next one. Where nothing is left
/// between them, a choice that was not measured at the default's, since it was predicted to lose there, may be as fast
/// as beside it.
void CommunicatorDecision::refine_end(std::size_t cell, std::optional<Bytes> bytes, std::size_t choice,
                                      std::size_t of_default, std::vector<TimingRequest>& requests) {
  refine_between(cell, bytes, choice, requests);
  if (!bytes && is_possible(of_default, choice) && !is_measured(of_default, choice)) {
    requests.push_back({point(sizes_[of_default]), {choices_[choice]}});
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
    refine_both(middle_behind(below.last));
    return;
  }
  request_at(above.first, below.choice, requests);
  request_at(below.last, above.choice, requests);
  if (!is_wide(sizes_[below.last], sizes_[above.first])) {
    return;
  }
  if (spans_doubtfully(below, above.first, below.last) || spans_doubtfully(above, below.last, below.last)) {
    refine_both(size_before_or_middle(below.last));
    return;
  }
  std::optional<Bytes> bytes;
  std::vector<std::size_t> spanning;
  if (spans(above, below.last)) {
    bytes = size_behind(below.last);
    spanning.push_back(above.choice);
  }
  if (spans(below, above.first)) {
    bytes = bytes ? bytes : size_before(below.last);
    spanning.push_back(below.choice);
  }
  refine_both(bytes || spanning.empty() ? bytes : probe_between(below.last, spanning, requests));
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
      refine_end(below.last, size_before_or_middle(below.last), below.choice, below.last + 1, requests);
    } else {
      refine_end(below.last, size_behind_or_middle(below.last), found[run].choice, below.last, requests);
    }
  }
  return requests;
}

}  // namespace postage
