#include "bench/names.hpp"

#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/bench/messages.hpp>

#include <algorithm>
#include <iterator>

namespace postage {
namespace {

/// Latencies of at most a line's payload are limited by the line, streams from here on by the copy.
constexpr Bytes kShort = 64;
constexpr Bytes kLong = 64 << 10;

std::optional<Seconds> find(const BenchRepetition& repetition, const std::string& program,
                            const std::string& experiment, Bytes bytes) {
  const auto run = repetition.runs.find(program);
  if (run == repetition.runs.end()) {
    return std::nullopt;
  }
  const auto found = run->second.find({experiment, bytes});
  return found == run->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Seconds> least_of_others(const BenchRepetition& repetition, const std::string& experiment, Bytes bytes) {
  std::optional<Seconds> least;
  for (const char* program : kOthers) {
    if (const auto time = find(repetition, program, experiment, bytes)) {
      least = least ? std::min(*least, *time) : *time;
    }
  }
  return least;
}

/// Empty where none of the others has a time.
std::string best_of_others(const std::map<std::string, Seconds>& medians) {
  std::string best;
  for (const char* program : kOthers) {
    if (medians.contains(program) && (best.empty() || medians.at(program) < medians.at(best))) {
      best = program;
    }
  }
  return best;
}

std::optional<Seconds> limit_of(const BenchRepetition& repetition, const std::string& experiment, Bytes bytes) {
  if (experiment == "skew") {
    return find(repetition, kShmNoCma, experiment, bytes);
  }
  if (experiment.starts_with("latency") && bytes <= kShort) {
    return find(repetition, kLimits, "two-lines", 64);
  }
  if (experiment.starts_with("bandwidth") && bytes >= kLong) {
    return find(repetition, kLimits, experiment == "bandwidth" ? "vm-read" : "vm-read-distinct", bytes);
  }
  return std::nullopt;
}

std::optional<RatioSummary> summary_of(const std::vector<double>& ratios) {
  if (ratios.empty()) {
    return std::nullopt;
  }
  return RatioSummary{median(ratios), quantile(ratios, 0.25), quantile(ratios, 0.75), ratios.size()};
}

/// Medians of each program at one experiment and size.
std::map<std::string, Seconds> medians_of(const std::vector<BenchRepetition>& repetitions,
                                          const std::string& experiment, Bytes bytes) {
  std::map<std::string, std::vector<double>> times;
  for (const BenchRepetition& repetition : repetitions) {
    for (const auto& [program, run] : repetition.runs) {
      if (const auto found = run.find({experiment, bytes}); found != run.end()) {
        times[program].push_back(found->second);
      }
    }
  }
  std::map<std::string, Seconds> medians;
  for (const auto& [program, values] : times) {
    medians[program] = median(values);
  }
  return medians;
}

BenchRow row_of(const std::vector<BenchRepetition>& repetitions, const std::string& experiment, Bytes bytes) {
  BenchRow row{.experiment = experiment, .bytes = bytes, .medians = medians_of(repetitions, experiment, bytes)};
  row.best_other = best_of_others(row.medians);
  std::vector<double> to_best;
  std::vector<double> to_least;
  std::vector<double> to_limit;
  for (const BenchRepetition& repetition : repetitions) {
    const auto ours = find(repetition, kShm, experiment, bytes);
    const auto compare = [&](const std::optional<Seconds>& other, std::vector<double>& ratios) {
      if (ours && other) {
        ratios.push_back(*ours / *other);
      }
    };
    compare(find(repetition, row.best_other, experiment, bytes), to_best);
    compare(least_of_others(repetition, experiment, bytes), to_least);
    compare(limit_of(repetition, experiment, bytes), to_limit);
  }
  row.to_best = summary_of(to_best);
  row.to_least = summary_of(to_least);
  row.to_limit = summary_of(to_limit);
  return row;
}

Json to_json(const std::optional<RatioSummary>& ratio) {
  if (!ratio) {
    return nullptr;
  }
  return {
      {"median", ratio->median}, {"lower", ratio->lower}, {"upper", ratio->upper}, {"repetitions", ratio->repetitions}};
}

Json to_json(const BenchRepetition& repetition) {
  Json value{{"line_least", repetition.line_least}, {"line_most", repetition.line_most},
             {"steady", repetition.is_steady()},    {"load", repetition.load},
             {"thresholds", Json::array()},         {"times", Json::array()}};
  for (const auto& [level, buffers, sizes] : repetition.thresholds) {
    value["thresholds"].push_back({{"level", level},
                                   {"buffers", buffers == BufferUse::kReused ? "reused" : "rewritten"},
                                   {"eager", sizes.eager},
                                   {"single_copy", sizes.single_copy},
                                   {"cooperative", sizes.cooperative},
                                   {"skewed_single_copy", sizes.skewed_single_copy},
                                   {"bidirectional_single_copy", sizes.bidirectional_single_copy},
                                   {"pool_window", sizes.pool_window}});
  }
  for (const auto& [program, run] : repetition.runs) {
    for (const auto& [what, seconds] : run) {
      value["times"].push_back(
          {{"program", program}, {"experiment", what.first}, {"bytes", what.second}, {"seconds", seconds}});
    }
  }
  return value;
}

}  // namespace

std::vector<MessageBench> by_line_time(const MessageBench& bench) {
  std::vector<BenchRepetition> repetitions;
  std::copy_if(bench.repetitions.begin(), bench.repetitions.end(), std::back_inserter(repetitions),
               [](const BenchRepetition& repetition) { return repetition.is_steady(); });
  if (repetitions.empty()) {
    return {bench};
  }
  std::sort(repetitions.begin(), repetitions.end(),
            [](const BenchRepetition& a, const BenchRepetition& b) { return a.line_least < b.line_least; });
  std::vector<MessageBench> parts;
  for (BenchRepetition& repetition : repetitions) {
    if (parts.empty() ||
        repetition.line_least > BenchRepetition::kSteady * parts.back().repetitions.back().line_least) {
      parts.push_back({.plan = bench.plan});
    }
    parts.back().repetitions.push_back(std::move(repetition));
  }
  return parts;
}

Seconds line_time_of(const MessageBench& bench) {
  std::vector<double> lines;
  for (const BenchRepetition& repetition : bench.repetitions) {
    lines.push_back(repetition.line_least);
  }
  return median(lines);
}

std::vector<BenchRow> summarise(const MessageBench& bench) {
  std::vector<BenchRow> rows;
  for (const std::string& experiment : bench.plan.experiments) {
    for (const Bytes bytes : experiment.starts_with("skew") ? bench.plan.computations : bench.plan.sizes) {
      BenchRow row = row_of(bench.repetitions, experiment, bytes);
      if (row.medians.contains(kShm)) {
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

Json to_json(const MessageBench& bench) {
  Json value{{"format", kMessageBenchFormat}, {"version", kMessageBenchVersion}, {"ranks", bench.plan.ranks},
             {"seconds", bench.plan.seconds}, {"repetitions", Json::array()},    {"rows", Json::array()}};
  if (!bench.plan.pairs.empty()) {
    value["pairs"] = bench.plan.pairs;
  }
  for (const BenchRepetition& repetition : bench.repetitions) {
    value["repetitions"].push_back(to_json(repetition));
  }
  for (const CacheMisses& misses : bench.cache_misses) {
    value["cache_misses"].push_back({{"program", misses.program},
                                     {"bytes", misses.bytes},
                                     {"first_level", misses.first_level},
                                     {"last_level", misses.last_level}});
  }
  for (const MessageBench& part : by_line_time(bench)) {
    for (const BenchRow& row : summarise(part)) {
      value["rows"].push_back({{"line", line_time_of(part)},
                               {"experiment", row.experiment},
                               {"bytes", row.bytes},
                               {"medians", row.medians},
                               {"best_other", row.best_other},
                               {"to_best", to_json(row.to_best)},
                               {"to_least", to_json(row.to_least)},
                               {"to_limit", to_json(row.to_limit)}});
    }
  }
  return value;
}

}  // namespace postage
