#include "papers/chai/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace postage::chai_paper {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 7> kSeries{{{kCopies, "copies (MVAPICH)"},
                                                                      {kSingleCopy, "single copy (LiMIC2)"},
                                                                      {kHybrid, "measured thresholds (opt)"},
                                                                      {kSkewAware, "skew-aware (opt)"},
                                                                      {"openmpi-no-cma", "Open MPI without CMA"},
                                                                      {"openmpi", "Open MPI"},
                                                                      {"mpich", "MPICH"}}};

const MessageBench& with_most_repetitions(const std::vector<MessageBench>& parts) {
  return *std::max_element(parts.begin(), parts.end(), [](const MessageBench& a, const MessageBench& b) {
    return a.repetitions.size() < b.repetitions.size();
  });
}

Json summary_of(const MessageBench& bench, const std::vector<std::string>& results) {
  const std::vector<MessageBench> parts = by_line_time(bench);
  MessageBench part = with_most_repetitions(parts);
  if (!results.empty()) {
    part.plan.experiments = results;
  }
  Json summary{{"line", line_time_of(part)}, {"repetitions", part.repetitions.size()}, {"times", Json::array()}};
  for (const BenchRow& row : summarise(part)) {
    for (const auto& [program, seconds] : row.medians) {
      summary["times"].push_back(
          {{"experiment", row.experiment}, {"bytes", row.bytes}, {"program", program}, {"seconds", seconds}});
    }
  }
  return summary;
}

}  // namespace

MeasuredMessages measure_messages(PaperContext& context, const std::string& name, const MessageBenchPlan& plan,
                                  const std::vector<std::string>& results) {
  const Json& summary = context.once(name, [&] {
    return summary_of(run_message_bench(plan, [&](const std::string& line) { context.tell(line); }), results);
  });
  MeasuredMessages measured{.line = summary["line"].number(),
                            .repetitions = static_cast<std::size_t>(summary["repetitions"].integer())};
  for (const Json& time : summary["times"]) {
    measured.experiments[time["experiment"].text()][time["program"].text()][time["bytes"].integer()] =
        time["seconds"].number();
  }
  return measured;
}

std::vector<DrawnCurve> curves_of(const Medians& medians, bool as_rates) {
  std::vector<DrawnCurve> curves;
  for (const auto& [program, title] : kSeries) {
    const auto found = medians.find(program);
    if (found == medians.end()) {
      continue;
    }
    DrawnCurve curve{.label = title};
    for (const auto& [bytes, seconds] : found->second) {
      const auto x = static_cast<double>(bytes);
      curve.x.push_back(x);
      curve.y.push_back(as_rates ? x / seconds : seconds);
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::string circumstances(const MeasuredMessages& measured) {
  return fmt::format("a cache line takes {} from core to core, medians of {} repetitions",
                     format_seconds(measured.line), measured.repetitions);
}

}  // namespace postage::chai_paper
