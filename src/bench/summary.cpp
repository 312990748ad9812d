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

std::optional<Seconds> find(const BenchRound& round, const std::string& program, const std::string& experiment,
                            Bytes bytes) {
  const auto run = round.runs.find(program);
  if (run == round.runs.end()) {
    return std::nullopt;
  }
  const auto found = run->second.find({experiment, bytes});
  return found == run->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Seconds> least_of_others(const BenchRound& round, const std::string& experiment, Bytes bytes) {
  std::optional<Seconds> least;
  for (const char* program : kOthers) {
    if (const auto time = find(round, program, experiment, bytes)) {
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

std::optional<Seconds> limit_of(const BenchRound& round, const std::string& experiment, Bytes bytes) {
  if (experiment == "skew") {
    return find(round, kTwoCopies, experiment, bytes);
  }
  if (experiment.starts_with("latency") && bytes <= kShort) {
    return find(round, kLimits, "two-lines", 64);
  }
  if (experiment.starts_with("bandwidth") && bytes >= kLong) {
    return find(round, kLimits, experiment == "bandwidth" ? "vm-read" : "vm-read-own", bytes);
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
std::map<std::string, Seconds> medians_of(const std::vector<BenchRound>& rounds, const std::string& experiment,
                                          Bytes bytes) {
  std::map<std::string, std::vector<double>> times;
  for (const BenchRound& round : rounds) {
    for (const auto& [program, run] : round.runs) {
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

BenchRow row_of(const std::vector<BenchRound>& rounds, const std::string& experiment, Bytes bytes) {
  BenchRow row{.experiment = experiment, .bytes = bytes, .medians = medians_of(rounds, experiment, bytes)};
  row.best_other = best_of_others(row.medians);
  std::vector<double> to_best;
  std::vector<double> to_least;
  std::vector<double> to_limit;
  for (const BenchRound& round : rounds) {
    const auto ours = find(round, kChannel, experiment, bytes);
    const auto compare = [&](const std::optional<Seconds>& other, std::vector<double>& ratios) {
      if (ours && other) {
        ratios.push_back(*ours / *other);
      }
    };
    compare(find(round, row.best_other, experiment, bytes), to_best);
    compare(least_of_others(round, experiment, bytes), to_least);
    compare(limit_of(round, experiment, bytes), to_limit);
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
  return {{"median", ratio->median}, {"lower", ratio->lower}, {"upper", ratio->upper}, {"rounds", ratio->rounds}};
}

Json to_json(const BenchRound& round) {
  Json value{{"line_least", round.line_least}, {"line_most", round.line_most},
             {"steady", round.is_steady()},    {"load", round.load},
             {"thresholds", Json::array()},    {"times", Json::array()}};
  for (const auto& [channel, sizes] : round.thresholds) {
    value["thresholds"].push_back({{"channel", channel},
                                   {"eager", sizes.eager},
                                   {"single_copy", sizes.single_copy},
                                   {"joint_copy", sizes.joint_copy},
                                   {"skewed_single_copy", sizes.skewed_single_copy},
                                   {"exchange", sizes.exchange}});
  }
  for (const auto& [program, run] : round.runs) {
    for (const auto& [what, seconds] : run) {
      value["times"].push_back(
          {{"program", program}, {"experiment", what.first}, {"bytes", what.second}, {"seconds", seconds}});
    }
  }
  return value;
}

}  // namespace

std::vector<MessageBench> by_distance(const MessageBench& bench) {
  std::vector<BenchRound> rounds;
  std::copy_if(bench.rounds.begin(), bench.rounds.end(), std::back_inserter(rounds),
               [](const BenchRound& round) { return round.is_steady(); });
  if (rounds.empty()) {
    return {bench};
  }
  std::sort(rounds.begin(), rounds.end(),
            [](const BenchRound& a, const BenchRound& b) { return a.line_least < b.line_least; });
  std::vector<MessageBench> parts;
  for (BenchRound& round : rounds) {
    if (parts.empty() || round.line_least > BenchRound::kSteady * parts.back().rounds.back().line_least) {
      parts.push_back({.plan = bench.plan});
    }
    parts.back().rounds.push_back(std::move(round));
  }
  return parts;
}

Seconds line_time_of(const MessageBench& bench) {
  std::vector<double> lines;
  for (const BenchRound& round : bench.rounds) {
    lines.push_back(round.line_least);
  }
  return median(lines);
}

std::vector<BenchRow> summarise(const MessageBench& bench) {
  std::vector<BenchRow> rows;
  for (const std::string& experiment : bench.plan.experiments) {
    for (const Bytes bytes : experiment == "skew" ? bench.plan.computations : bench.plan.sizes) {
      BenchRow row = row_of(bench.rounds, experiment, bytes);
      if (row.medians.contains(kChannel)) {
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

Json to_json(const MessageBench& bench) {
  Json value{{"format", kMessageBenchFormat}, {"version", kMessageBenchVersion}, {"ranks", bench.plan.ranks},
             {"seconds", bench.plan.seconds}, {"rounds", Json::array()},         {"rows", Json::array()}};
  for (const BenchRound& round : bench.rounds) {
    value["rounds"].push_back(to_json(round));
  }
  for (const CacheMisses& misses : bench.cache_misses) {
    value["cache_misses"].push_back({{"program", misses.program},
                                     {"bytes", misses.bytes},
                                     {"first_level", misses.first_level},
                                     {"last_level", misses.last_level}});
  }
  for (const MessageBench& part : by_distance(bench)) {
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
