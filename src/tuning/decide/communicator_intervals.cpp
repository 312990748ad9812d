// What a rule may do between two sizes: it is known at both of them at the most.
#include "tuning/decide/communicator.hpp"
#include "tuning/decide/neighbouring_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {
namespace {

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

}  // namespace postage
