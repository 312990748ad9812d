#include "tuning/measure/times.hpp"

#include "tuning/measure/round_ratios.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace postage {
namespace {

constexpr const char* kStateFormat = "postage-tuning-state";
constexpr int kStateVersion = 1;

/// Percentiles of medians of samples drawn with replacement (B. Efron, The jackknife, the bootstrap and other
/// resampling plans, 1982).
Interval bootstrap_interval(const std::vector<double>& sample) {
  constexpr int kResamples = 600;
  std::mt19937_64 random(sample.size());
  std::uniform_int_distribution<std::size_t> draw(0, sample.size() - 1);
  std::vector<double> medians;
  std::vector<double> again(sample.size());
  for (int i = 0; i < kResamples; ++i) {
    std::generate(again.begin(), again.end(), [&] { return sample[draw(random)]; });
    medians.push_back(median(again));
  }
  return {quantile(medians, 0.025), quantile(medians, 0.975)};
}

/// P(X >= successes) for `coins` fair coins.
double binomial_tail(std::size_t successes, std::size_t coins) {
  double sum = 0;
  for (std::size_t k = successes; k <= coins; ++k) {
    const auto n = static_cast<double>(coins);
    const auto x = static_cast<double>(k);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) - n * std::log(2.0));
  }
  return std::min(sum, 1.0);
}

Seconds seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<double> read_times(const JsonField& field) {
  std::vector<double> times;
  field.for_each_item([&](const JsonField& seconds) { times.push_back(seconds.number()); });
  return times;
}

}  // namespace

Gain gain_of(const PairedTimes& pairs) {
  std::vector<double> gains;
  std::size_t in_favour = 0;
  std::size_t different = 0;
  for (const double ratio : ratios_of(pairs)) {
    gains.push_back(1 - ratio);
    different += gains.back() != 0 ? 1 : 0;
    in_favour += gains.back() > 0 ? 1 : 0;
  }
  Gain gain{.source = GainSource::kMeasured, .pairs = gains.size()};
  if (!gains.empty()) {
    gain.share = median(gains);
    gain.interval = bootstrap_interval(gains);
    gain.sign_test = binomial_tail(in_favour, different);
  }
  return gain;
}

MeasuredTimes::MeasuredTimes(std::filesystem::path path, std::string job)
    : path_(std::move(path)), job_(std::move(job)) {
  if (path_.empty() || !std::filesystem::exists(path_)) {
    return;
  }
  const Json value = read_json(path_);
  check_envelope(value, kStateFormat, kStateVersion, path_);
  const JsonField file(value, path_);
  if (file["job"].text() != job_) {
    throw Error(fmt::format("{} keeps what was measured for another job: {}; give --force to begin anew",
                            path_.string(), file["job"].text()));
  }
  file["times"].for_each_item([&](const JsonField& field) {
    const TuningPoint point{parse_collective(field["collective"].text()), field["ranks"].count<Rank>(),
                            field["bytes"].count<Bytes>()};
    kept_[point][field["choice"].text()] = {read_times(field["times"]), read_times(field["default"]),
                                            field.has("forced") ? field["forced"].text() : ""};
  });
}

MeasuredTimes kept_times(const TuneRequest& request, const TuningJob& job, std::string_view kind) {
  const bool is_simulated = request.target == TuningTarget::kSmpi;
  return {request.state.empty()
              ? request.state
              : request.state / fmt::format("{}{}-{}x{}.json", kind, name_of(request.target), job.nodes, job.per_node),
          fmt::format("{} {}{}, {} nodes of {} ranks", name_of(request.target), format_version(request.version),
                      is_simulated ? " beside " + request.selector : "", job.nodes, job.per_node)};
}

void MeasuredTimes::recall(const TuningPoint& point, const std::string& choice) {
  if (const auto found = kept_.find(point); found != kept_.end()) {
    if (auto entry = found->second.extract(choice)) {
      set(point, choice, std::move(entry.mapped().times), std::move(entry.mapped().standard));
      entries_[point][choice].forced = entry.mapped().forced;
    }
  }
}

bool MeasuredTimes::has(const TuningPoint& point, const std::string& choice) const {
  const auto found = entries_.find(point);
  return found != entries_.end() && found->second.count(choice) > 0;
}

void MeasuredTimes::set(const TuningPoint& point, const std::string& choice, std::vector<double> times,
                        std::vector<double> standard) {
  entries_[point][choice] = {std::move(times), std::move(standard)};
  gains_.erase(gains_.lower_bound({point, ""}), gains_.upper_bound({point, "~"}));
}

void MeasuredTimes::set_forced_default(const TuningPoint& point, const std::string& choice) {
  entries_[point][""].forced = choice;
}

bool MeasuredTimes::is_default_forced(const TuningPoint& point) const {
  return has(point, "") && !entries_.at(point).at("").forced.empty();
}

const Gain& MeasuredTimes::gain(const TuningPoint& point, const std::string& choice) const {
  const auto [known, is_new] = gains_.try_emplace({point, choice});
  if (is_new) {
    known->second = gain_of(pairs(point, choice));
  }
  return known->second;
}

PairedTimes MeasuredTimes::pairs(const TuningPoint& point, const std::string& choice) const {
  if (!has(point, choice)) {
    return {};
  }
  const auto& of_point = entries_.at(point);
  const Entry& entry = of_point.at(choice);
  if (!entry.standard.empty()) {
    return {entry.times, entry.standard};
  }
  const auto standard = of_point.find("");
  return standard == of_point.end() ? PairedTimes{} : PairedTimes{entry.times, standard->second.times};
}

std::vector<TuningPoint> MeasuredTimes::points_of(Collective collective, Rank ranks) const {
  std::vector<TuningPoint> points;
  for (auto at = entries_.lower_bound({collective, ranks, 0});
       at != entries_.end() && at->first.collective == collective && at->first.ranks == ranks; ++at) {
    points.push_back(at->first);
  }
  return points;
}

void MeasuredTimes::keep_now_and_then() {
  if (keeping_.is_due(seconds_now())) {
    keep();
  }
}

void MeasuredTimes::keep() {
  if (path_.empty()) {
    return;
  }
  const Seconds begin = seconds_now();
  Json times = Json::array();
  Entries all = entries_;
  for (const auto& [point, of_point] : kept_) {
    all[point].insert(of_point.begin(), of_point.end());
  }
  for (const auto& [point, of_point] : all) {
    for (const auto& [choice, entry] : of_point) {
      Json row{{"collective", name_of(point.collective)},
               {"ranks", point.ranks},
               {"bytes", point.bytes},
               {"choice", choice},
               {"times", Json(entry.times)},
               {"default", Json(entry.standard)}};
      if (!entry.forced.empty()) {
        row["forced"] = entry.forced;
      }
      times.push_back(std::move(row));
    }
  }
  write_json(path_, {{"format", kStateFormat}, {"version", kStateVersion}, {"job", job_}, {"times", times}});
  keeping_.done(begin, seconds_now());
}

}  // namespace postage
