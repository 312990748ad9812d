#pragma once

#include <postage/report/report.hpp>

#include <string>
#include <vector>

namespace postage {

/// One thing that a person wants to know first: "Latency", "104 ns", "one way, between cores that share a cache".
struct SummaryLine {
  std::string label;
  std::string value;
  std::string text;
  bool operator==(const SummaryLine&) const = default;
};

/// Of one platform: what it is, latency and bandwidth of each level, and how far predictions are from collectives that
/// were measured between the other experiments. At most four lines.
[[nodiscard]] std::vector<SummaryLine> platform_summary(const Platform& platform);

/// Of all that is in a report, the first platform's in full: also which algorithms to use where, and what tuning and
/// the preload library gain. At most ten lines.
[[nodiscard]] std::vector<SummaryLine> report_summary(const ReportInput& input);

/// Aligned, each line cut between words and continued below its text where it is longer than `width`.
[[nodiscard]] std::string render(const std::vector<SummaryLine>& lines, std::size_t width);

}  // namespace postage
