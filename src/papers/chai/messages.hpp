#pragma once

#include <postage/bench/messages.hpp>
#include <postage/papers/exhibit.hpp>

#include <map>
#include <string>

namespace postage::chai_paper {

/// Median seconds by program and size, of one experiment.
using Medians = std::map<std::string, std::map<Bytes, Seconds>>;

/// What was measured of some experiments, of the distance between cores with the most repetitions.
struct MeasuredMessages {
  std::map<std::string, Medians> experiments{};
  Seconds line = 0;  ///< what a cache line takes from core to core
  std::size_t repetitions = 0;
};

/// Runs the plan once for all exhibits that name it so. Without `results`, those of the plan's experiments.
[[nodiscard]] MeasuredMessages measure_messages(PaperContext& context, const std::string& name,
                                                const MessageBenchPlan& plan,
                                                const std::vector<std::string>& results = {});

/// One curve a program, in the order of kSeries, with its title: of rates where `as_rates`, else of times.
[[nodiscard]] std::vector<DrawnCurve> curves_of(const Medians& medians, bool as_rates);

/// "a cache line takes 31 ns from core to core, medians of 5 repetitions".
[[nodiscard]] std::string circumstances(const MeasuredMessages& measured);

// Programs, as the bench calls them, that stand for the paper's.
inline constexpr const char* kCopies = "shm-no-cma";           ///< MVAPICH: copy-in copy-out
inline constexpr const char* kSingleCopy = "shm-single-copy";  ///< MVAPICH-LiMIC2: the kernel copies
inline constexpr const char* kHybrid = "shm";                  ///< MVAPICH-LiMIC2-opt
inline constexpr const char* kSkewAware = "shm-skew-aware";

}  // namespace postage::chai_paper
