#include "tuning/decide/estimates.hpp"
#include "tuning/decide/neighbouring_sizes.hpp"
#include "tuning/decide/platform_choice.hpp"
#include "tuning/measure/round_ratios.hpp"
#include "tuning/measure/timer.hpp"

#include <postage/tuning/held_out.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace postage {
namespace {

/// Up to here every multiple of eight may have been measured: sizes in the middle between two of these were not.
constexpr Bytes kMostMeasured = 512;

/// A number of [0, 1) for each of a row of sizes, as even as can be: multiples of the golden ratio.
double share_between(std::size_t number) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  const double multiple = kGoldenRatio * static_cast<double>(number + 1);
  return multiple - std::floor(multiple);
}

/// One between each two neighbouring sizes, at ever other places: no place between two sizes is better known than
/// another one.
std::vector<Bytes> sizes_beside(Collective collective, Rank ranks, const std::vector<Bytes>& sizes) {
  std::vector<Bytes> measured = measured_sizes(sizes_for(collective, ranks, sizes));
  if (collective == Collective::kBarrier) {
    return measured;
  }
  std::vector<Bytes> beside;
  for (std::size_t i = 0; i + 1 < measured.size(); ++i) {
    const std::size_t number = i + 100 * static_cast<std::size_t>(ranks) + 7 * static_cast<std::size_t>(collective);
    const auto below = static_cast<double>(measured[i]);
    const double size = below * std::pow(static_cast<double>(measured[i + 1]) / below, share_between(number));
    const Bytes word = static_cast<Bytes>(size) / kWordBytes * kWordBytes;
    const Bytes bytes = word + (word < kMostMeasured ? kWordBytes / 2 : kWordBytes);
    if (measured[i] >= kWordBytes && bytes > measured[i] && bytes < measured[i + 1]) {
      beside.push_back(bytes);
    }
  }
  return beside;
}

/// Between each power of two and its double the first and the last number at which tune measured nothing of this
/// collective; the largest number, and one of two thirds of it.
std::vector<Rank> ranks_beside(const DecisionTable& table, Collective collective, Rank largest) {
  std::set<Rank> measured;
  for (const DecisionCell& cell : table.cells) {
    if (cell.collective == collective) {
      measured.insert(cell.ranks);
    }
  }
  std::set<Rank> beside{largest, std::max<Rank>(2, largest - largest / 3)};
  for (Rank power = 2; power < largest; power *= 2) {
    std::vector<Rank> others;
    for (Rank ranks = power; ranks < std::min(2 * power, largest); ++ranks) {
      if (measured.count(ranks) == 0) {
        others.push_back(ranks);
      }
    }
    if (!others.empty()) {
      beside.insert({others.front(), others.back()});
    }
  }
  return {beside.begin(), beside.end()};
}

/// What the library can do there, and what the rule says.
std::vector<DecisionChoice> choices_at(const TuneRequest& request, const TuningPoint& point, const DecisionRule* rule) {
  std::vector<DecisionChoice> choices =
      candidates_for(request, point.collective, {point.ranks, point.ranks}, point.bytes);
  if (rule != nullptr && std::find(choices.begin(), choices.end(), rule->choice) == choices.end()) {
    choices.push_back(rule->choice);
  }
  return choices;
}

HeldOutRow row_of(const TuningPoint& point, const TimingRequest& timed, const DecisionRule* rule,
                  const MeasuredTimes& times, const TimeEstimates& estimates) {
  const Seconds standard = estimates.standard(point).value_or(std::numeric_limits<double>::infinity());
  HeldOutRow row{.collective = point.collective,
                 .ranks = point.ranks,
                 .bytes = point.bytes,
                 .standard = standard,
                 .tuned = standard,
                 .has_rule = rule != nullptr};
  std::vector<RoundRatios> choices;
  double fastest = 1;
  for (const DecisionChoice& choice : timed.choices) {
    const RoundRatios ratios = ratios_of(times.pairs(point, key_of(choice)));
    const double own = ratios.empty() ? std::numeric_limits<double>::infinity() : median(ratios);
    if (rule != nullptr && choice == rule->choice) {
      row.tuned = standard * own;
    }
    if (own < fastest) {
      fastest = own;
      row.best_choice = key_of(choice);
    }
    if (!ratios.empty()) {
      choices.push_back(ratios);
    }
  }
  row.best = standard * best_ratio(choices);
  return row;
}

std::vector<HeldOutRow> rows_of(const TuneRequest& request, const TuningJob& job, const DecisionTable& table,
                                const PlatformModel& model, ChoiceTimer& timer) {
  ChoicePredictions predictions(request, model);
  MeasuredTimes times = kept_times(request, job, "held-out-");
  std::vector<TimingRequest> requests;
  std::vector<const DecisionRule*> rules;
  for (const Collective collective : request.collectives) {
    for (const Rank ranks : ranks_beside(table, collective, job.ranks())) {
      for (const Bytes bytes : sizes_beside(collective, ranks, request.sizes)) {
        const std::int32_t nodes = (ranks + job.per_node - 1) / job.per_node;
        rules.push_back(table.lookup(collective, ranks, nodes, bytes));
        const TuningPoint point{collective, ranks, bytes};
        requests.push_back({point, choices_at(request, point, rules.back())});
      }
    }
  }
  for (const auto& [point, choices] : requests) {
    times.recall(point, "");
    for (const DecisionChoice& choice : choices) {
      times.recall(point, key_of(choice));
    }
  }
  timer.time(requests, false, request.budget, times, [](double) {});
  const TimeEstimates estimates(predictions, times);
  std::vector<HeldOutRow> rows;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const HeldOutRow row = row_of(requests[i].point, requests[i], rules[i], times, estimates);
    if (std::isfinite(row.standard) && std::isfinite(row.tuned)) {
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

std::vector<HeldOutRow> time_held_out(const TuneRequest& request, const Platform& platform, const DecisionTable& table,
                                      const std::function<LaunchTarget(const TuningJob&)>& target_of) {
  std::vector<HeldOutRow> all;
  for (const TuningJob& job : request.jobs) {
    const std::unique_ptr<ChoiceTimer> timer = timer_for(request, target_of(job));
    const auto rows = rows_of(request, job, table, model_for(platform, job), *timer);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

HeldOutSummary summarise_held_out(const std::vector<HeldOutRow>& rows) {
  HeldOutSummary summary{.points = rows.size()};
  std::vector<double> speedups;
  std::vector<double> regrets;
  for (const HeldOutRow& row : rows) {
    summary.ruled += row.has_rule ? 1 : 0;
    summary.worst = std::max(summary.worst, row.tuned / row.standard);
    speedups.push_back(row.standard / row.tuned);
    regrets.push_back(row.tuned / row.best - 1);
  }
  if (!rows.empty()) {
    summary.median_speedup = median(speedups);
    summary.percentile95_speedup = quantile(speedups, 0.95);
    summary.median_regret = median(regrets);
    summary.percentile95_regret = quantile(regrets, 0.95);
  }
  return summary;
}

Json to_json(const std::vector<HeldOutRow>& rows) {
  Json list = Json::array();
  for (const HeldOutRow& row : rows) {
    list.push_back({{"collective", name_of(row.collective)},
                    {"ranks", row.ranks},
                    {"bytes", row.bytes},
                    {"default", row.standard},
                    {"tuned", row.tuned},
                    {"best", row.best},
                    {"best_choice", row.best_choice},
                    {"has_rule", row.has_rule}});
  }
  return list;
}

}  // namespace postage
