#include "bench/names.hpp"

#include <postage/base/statistics.hpp>
#include <postage/bench/messages.hpp>
#include <postage/report/curves.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

constexpr std::array<const char*, 7> kColumns{kShm,       kShmNoCma,  kShmSingleCopy, kShmSkewAware,
                                              kOthers[0], kOthers[1], kOthers[2]};
/// Limits that a table shows, with what they are.
constexpr std::array<std::pair<const char*, const char*>, 6> kLimitColumns{
    {{"copy", "memcpy"},
     {"copy-rewritten", "memcpy, rewritten"},
     {"copy-both", "by both cores, rewritten"},
     {"vm-read", "process_vm_readv"},
     {"vm-read-rewritten", "the same, rewritten"},
     {"vm-read-distinct", "the same, distinct buffers"}}};

std::string text_of(const std::optional<RatioSummary>& ratio) {
  return ratio ? fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio->median, ratio->lower, ratio->upper) : "";
}

bool is_rate(const std::string& experiment) {
  return experiment.starts_with("bandwidth");
}

std::string value_of(const BenchRow& row, const char* program) {
  const auto found = row.medians.find(program);
  if (found == row.medians.end()) {
    return "";
  }
  return is_rate(row.experiment) ? format_rate(static_cast<double>(row.bytes) / found->second)
                                 : format_seconds(found->second);
}

std::vector<std::string> columns_of(const std::vector<BenchRow>& rows) {
  std::vector<std::string> columns;
  for (const char* column : kColumns) {
    if (std::any_of(rows.begin(), rows.end(), [&](const BenchRow& row) { return row.medians.contains(column); })) {
      columns.emplace_back(column);
    }
  }
  return columns;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += fmt::format(" {} |", cell);
  }
  return line + "\n";
}

std::string header_of(const std::vector<std::string>& cells) {
  std::string rule = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rule += i == 0 ? "---|" : "---:|";
  }
  return line_of(cells) + rule + "\n";
}

std::string table_of(const std::string& experiment, const std::vector<BenchRow>& rows) {
  const std::vector<std::string> columns = columns_of(rows);
  const bool skewed = experiment == "skew";
  std::vector<std::string> cells{skewed ? "c2" : "size"};
  cells.insert(cells.end(), columns.begin(), columns.end());
  cells.insert(cells.end(), {"time over the best other", "over the least of the others in each repetition",
                             skewed ? "over shm-no-cma" : "over the limit"});
  std::string text = fmt::format("#### {}\n\n", experiment) + header_of(cells);
  for (const BenchRow& row : rows) {
    cells = {skewed ? format_seconds(1e-6 * static_cast<double>(row.bytes)) : format_bytes(row.bytes)};
    for (const std::string& column : columns) {
      cells.push_back(value_of(row, column.c_str()));
    }
    const std::string best = row.to_best ? fmt::format("{} {}", text_of(row.to_best), row.best_other) : "";
    cells.insert(cells.end(), {best, text_of(row.to_least), text_of(row.to_limit)});
    text += line_of(cells);
  }
  return text + "\n";
}

std::vector<double> limit_values(const MessageBench& bench, const std::string& limit, Bytes bytes) {
  std::vector<double> values;
  for (const BenchRepetition& repetition : bench.repetitions) {
    if (const auto run = repetition.runs.find(kLimits); run != repetition.runs.end()) {
      if (const auto found = run->second.find({limit, bytes}); found != run->second.end()) {
        values.push_back(found->second);
      }
    }
  }
  return values;
}

std::string limits_table(const MessageBench& bench) {
  std::vector<std::string> cells{"size"};
  for (const auto& [name, title] : kLimitColumns) {
    cells.emplace_back(title);
  }
  std::string text = "#### limits\n\n" + header_of(cells);
  for (const Bytes bytes : bench.plan.sizes) {
    cells = {format_bytes(bytes)};
    for (const auto& [name, title] : kLimitColumns) {
      const std::vector<double> values = limit_values(bench, name, bytes);
      cells.push_back(values.empty() ? "" : format_seconds(median(values)));
    }
    text += line_of(cells);
  }
  return text + "\n";
}

std::string misses_table(const std::vector<CacheMisses>& all) {
  std::string text =
      "### simulated cache misses of bandwidth-distinct-buffers\n\nFor one message, sender and receiver together, by "
      "cachegrind: what the kernel copies for them is not seen.\n\n" +
      header_of({"program", "size", "first level", "last level"});
  for (const CacheMisses& misses : all) {
    text += line_of({misses.program, format_bytes(misses.bytes), fmt::format("{:.1f}", misses.first_level),
                     fmt::format("{:.1f}", misses.last_level)});
  }
  return text + "\n";
}

/// The ends of what was seen over the repetitions.
template <typename Select>
std::string range_of(const MessageBench& bench, const Select& select, const auto& format) {
  std::vector<double> values;
  for (const BenchRepetition& repetition : bench.repetitions) {
    values.push_back(select(repetition));
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{} to {}", format(*low), format(*high));
}

std::string from_size(Bytes bytes) {
  return bytes >= ProtocolThresholds::kNever ? "never" : format_bytes(bytes);
}

std::string thresholds_table(const MessageBench& bench) {
  std::string text =
      header_of({"repetition", "locality level", "a cache line takes", "load", "eager up to", "single copy from",
                 "cooperative from", "bidirectional single copy from", "pool", "counts"});
  for (std::size_t i = 0; i < bench.repetitions.size(); ++i) {
    const BenchRepetition& repetition = bench.repetitions[i];
    for (const auto& [level, buffers, sizes] : repetition.thresholds) {
      if (buffers == BufferUse::kRewritten) {
        text += line_of({std::to_string(i + 1), level, format_seconds(repetition.line_least),
                         fmt::format("{:.1f}", repetition.load), from_size(sizes.eager), from_size(sizes.single_copy),
                         from_size(sizes.cooperative), from_size(sizes.bidirectional_single_copy),
                         sizes.pool_window ? "window" : "whole", repetition.is_steady() ? "yes" : "no"});
      }
    }
  }
  return text + "\n";
}

std::string preamble(const MessageBench& bench) {
  const auto steady = std::count_if(bench.repetitions.begin(), bench.repetitions.end(),
                                    [](const BenchRepetition& repetition) { return repetition.is_steady(); });
  return fmt::format(
      "{} ranks, {} repetitions, of which {} count; in each every program ran once, in turn. Times and rates are "
      "medians "
      "over "
      "repetitions; ratios were taken within each repetition, and stand as their median and [quartiles]. A cache line "
      "took {} "
      "from core to core, and {} processes wanted a core.\n\n",
      bench.plan.ranks, bench.repetitions.size(),
      steady > 0 ? steady : static_cast<std::ptrdiff_t>(bench.repetitions.size()),
      range_of(
          bench, [](const BenchRepetition& repetition) { return repetition.line_least; },
          [](double seconds) { return format_seconds(seconds); }),
      range_of(
          bench, [](const BenchRepetition& repetition) { return repetition.load; },
          [](double load) { return fmt::format("{:.1f}", load); }));
}

}  // namespace

std::string markdown_of(const MessageBench& bench) {
  std::string text = preamble(bench) + thresholds_table(bench);
  for (const MessageBench& part : by_line_time(bench)) {
    const std::vector<BenchRow> rows = summarise(part);
    text += fmt::format("### Cores that a cache line takes {} between: {} repetitions\n\n",
                        format_seconds(line_time_of(part)), part.repetitions.size());
    for (const std::string& experiment : bench.plan.experiments) {
      std::vector<BenchRow> own;
      std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
                   [&](const BenchRow& row) { return row.experiment == experiment; });
      if (!own.empty()) {
        text += table_of(experiment, own);
      }
    }
    text += limits_table(part);
  }
  return bench.cache_misses.empty() ? text : text + misses_table(bench.cache_misses);
}

namespace {

/// What a drawing's time axis shows.
std::string what_is_timed(const std::string& experiment) {
  if (experiment == "skew") {
    return "the producer's time for 64 messages of 16 KiB";
  }
  if (experiment.rfind("latency", 0) == 0) {
    return "time of one way";
  }
  return experiment.rfind("bandwidth", 0) == 0 ? "time for each message" : "time of one";
}

}  // namespace

std::map<std::string, std::string> drawings_of(const MessageBench& bench) {
  const std::vector<MessageBench> parts = by_line_time(bench);
  const MessageBench& part = *std::max_element(
      parts.begin(), parts.end(),
      [](const MessageBench& a, const MessageBench& b) { return a.repetitions.size() < b.repetitions.size(); });
  const std::vector<BenchRow> rows = summarise(part);
  const std::string where = fmt::format(" (a cache line takes {})", format_seconds(line_time_of(part)));
  std::map<std::string, std::string> drawings;
  for (const std::string& experiment : bench.plan.experiments) {
    std::vector<DrawnCurve> curves;
    for (const char* program : kColumns) {
      DrawnCurve curve{.label = program};
      for (const BenchRow& row : rows) {
        if (const auto found = row.medians.find(program); row.experiment == experiment && found != row.medians.end()) {
          curve.x.push_back(static_cast<double>(row.bytes));
          curve.y.push_back(found->second);
        }
      }
      if (!curve.x.empty()) {
        curves.push_back(std::move(curve));
      }
    }
    if (!curves.empty()) {
      drawings[fmt::format("shm-{}.svg", experiment)] =
          draw_curves(fmt::format("{}: {}{}", experiment, what_is_timed(experiment), where), curves,
                      experiment == "skew" ? DrawnAxis{"the consumer's computation for each message [us]"}
                                           : DrawnAxis{kSizeAxis, AxisUnit::kBytes});
    }
  }
  return drawings;
}

}  // namespace postage
