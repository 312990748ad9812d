#pragma once

#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/measure/collective_run.hpp>
#include <postage/samples/samples.hpp>
#include <postage/tuning/library.hpp>

#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// What an MPI promises its users without saying so: a collective takes no longer than others that would do the same
/// (J. L. Traeff, W. Gropp, R. Thakur, "Self-consistent MPI performance guidelines", IEEE TPDS 21(5), 2010). Sizes are
/// those of ScheduleRequest::bytes.

/// How the size of a call follows from n, the bytes of the bounded one.
enum class SizeRule {
  kSame,
  kTimesRanks,  ///< n P
  kByRanks,     ///< n / P, rounded up to whole elements
};

/// One of the calls that together do what the bounded one does.
struct GuidelineTerm {
  Collective collective = Collective::kBcast;
  SizeRule size = SizeRule::kSame;
};

/// bounded(n) <= the sum of the bound's calls.
struct Guideline {
  Collective bounded = Collective::kBcast;
  std::vector<GuidelineTerm> bound;
  /// The schedule that does what the bound does; empty where there is none.
  std::string_view schedule{};
};

/// All of them that name other collectives.
[[nodiscard]] const std::vector<Guideline>& guidelines();

/// A collective of the library at one size.
struct TimedCall {
  Collective collective = Collective::kBcast;
  Bytes bytes = 0;
  auto operator<=>(const TimedCall&) const = default;
};

/// One inequality at one size: the time of `bounded` is at most `times` times those of the bound together.
struct GuidelineCheck {
  std::string guideline;  ///< "allreduce(n) <= reduce(n) + bcast(n)"
  TimedCall bounded;
  std::vector<TimedCall> bound;
  int times = 1;
  std::string_view schedule{};  ///< see Guideline
};

/// Every guideline at every size, and for each collective that it takes no longer than for the next larger size, nor
/// longer than as many messages of the next smaller one as it holds. Calls of more than `largest` bytes are left out.
/// Sizes ascend; they are rounded up to whole elements of 8 bytes. O(guidelines * sizes).
[[nodiscard]] std::vector<GuidelineCheck> guideline_checks(Rank ranks, const std::vector<Bytes>& sizes, Bytes largest);

/// The distinct calls of the checks, by the library's own algorithms.
[[nodiscard]] std::vector<CollectiveRun> calls_of(std::span<const GuidelineCheck> checks);

/// What `postage guidelines -o FILE` writes, and tune reads.
inline constexpr int kGuidelinesVersion = 1;
inline constexpr const char* kGuidelinesFormat = "postage-guidelines";

/// How one check came out.
struct GuidelineResult {
  GuidelineCheck check;
  Seconds bounded = 0;  ///< median
  Seconds bound = 0;    ///< sum of medians, times `times`
  double factor = 0;    ///< bounded over bound: above 1 the guideline is violated
  Interval interval{};  ///< of the factor, at the campaign's confidence
  /// The interval lies above 1 + tolerance.
  bool violated = false;
};

/// What the samples say of the checks whose calls they all have. The factor and its interval are the median and its
/// order-statistics interval of the factors in each pass, in which the calls were made within a short time of one
/// another; where passes are too few for an interval, or their values were not kept, it is made of the intervals of the
/// single times. O(checks * passes).
[[nodiscard]] std::vector<GuidelineResult> judge(std::span<const GuidelineCheck> checks, const SampleSet& samples,
                                                 double tolerance);

/// What would mend a violation: the library's own algorithm that does the same as the bound, by its name, or the calls
/// of the bound themselves.
[[nodiscard]] std::string remedy_for(const GuidelineCheck& check, TuningTarget target, const LibraryVersion& version,
                                     Rank ranks);

[[nodiscard]] Json to_json(const GuidelineResult& result);

}  // namespace postage
