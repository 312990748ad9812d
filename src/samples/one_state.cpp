#include <postage/samples/one_state.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace postage {
namespace {

/// Widths in logarithms: what lies within a factor of two is of one state.
const double kStateWidth = std::log(2.0);
constexpr std::size_t kFewestSlots = 3;
constexpr double kWorthTelling = 0.05;
constexpr Bytes kMiddleBytes = 2 << 10;
constexpr Bytes kLargeBytes = 32 << 10;
constexpr double kSteepest = 1.2;
constexpr double kSureErrors = 2;

using Ends = std::pair<std::int32_t, std::int32_t>;

/// The first two of those that took part.
Ends ends_of(const Measurement& m) {
  const std::vector<std::int32_t> ranks = participants(m.experiment);
  return ranks.size() < 2 ? Ends{-1, -1} : Ends{ranks[0], ranks[1]};
}

bool has_link(const Measurement& m, std::size_t pass) {
  return pass < m.links.size() && m.links[pass] > 0;
}

bool is_slot(const Measurement& m, std::size_t pass) {
  return pass < m.passes.size() && !m.passes[pass].empty() && has_link(m, pass);
}

/// The middle, in logarithms, of the state that most are in. Sorts them. Requires at least one.
double middle_of_state(std::vector<double>& logarithms) {
  std::sort(logarithms.begin(), logarithms.end());
  std::size_t most = 0;
  double middle = logarithms.front();
  std::size_t begin = 0;
  for (std::size_t end = 0; end < logarithms.size(); ++end) {
    while (logarithms[end] - logarithms[begin] > kStateWidth) {
      ++begin;
    }
    if (end - begin + 1 > most) {
      most = end - begin + 1;
      middle = std::midpoint(logarithms[begin], logarithms[end]);
    }
  }
  return middle;
}

/// By pair of ranks, the middle of the state that most of its slots are in, in logarithms.
std::map<Ends, double> states_of(const std::vector<Measurement>& measurements) {
  std::map<Ends, std::vector<double>> links;
  for (const Measurement& m : measurements) {
    const Ends ends = ends_of(m);
    for (std::size_t pass = 0; pass < m.links.size(); ++pass) {
      if (has_link(m, pass)) {
        links[ends].push_back(std::log(m.links[pass]));
      }
    }
  }
  std::map<Ends, double> states;
  for (auto& [ends, logarithms] : links) {
    states[ends] = middle_of_state(logarithms);
  }
  return states;
}

/// How far a pass's link is from the state's, in logarithms.
double deviation(const Measurement& m, std::size_t pass, double state) {
  return std::log(m.links[pass]) - state;
}

/// Clears the passes in other states.
void leave_out_others(Measurement& m, double state) {
  std::vector<std::size_t> slots;
  for (std::size_t pass = 0; pass < m.passes.size(); ++pass) {
    if (is_slot(m, pass)) {
      slots.push_back(pass);
    }
  }
  const auto distance = [&](std::size_t pass) { return std::abs(deviation(m, pass, state)); };
  std::stable_sort(slots.begin(), slots.end(), [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  for (std::size_t i = kFewestSlots; i < slots.size(); ++i) {
    if (distance(slots[i]) > kStateWidth / 2) {
      m.passes[slots[i]].clear();
    }
  }
}

/// What experiments whose times follow the link alike have in common.
using LikeTimes = std::tuple<ExperimentKind, bool, bool>;

LikeTimes likeness(const Measurement& m) {
  return {m.experiment.kind, m.experiment.bytes >= kMiddleBytes, m.experiment.bytes >= kLargeBytes};
}

/// Sums of products of deviations from an experiment's own means.
class Slope {
 public:
  void add(const Measurement& m, double state) {
    std::vector<std::array<double, 2>> points;
    std::array<double, 2> mean{};
    for (std::size_t pass = 0; pass < m.passes.size(); ++pass) {
      if (is_slot(m, pass) && median(m.passes[pass]) > 0) {
        const auto& point =
            points.emplace_back(std::array{deviation(m, pass, state), std::log(median(m.passes[pass]))});
        mean[0] += point[0];
        mean[1] += point[1];
      }
    }
    for (const auto& [link, time] : points) {
      const double x = link - mean[0] / static_cast<double>(points.size());
      const double y = time - mean[1] / static_cast<double>(points.size());
      xx_ += x * x;
      xy_ += x * y;
      yy_ += y * y;
    }
    freedom_ += points.empty() ? 0 : static_cast<double>(points.size() - 1);
  }

  /// 0 where chance explains it.
  [[nodiscard]] double value() const {
    if (xx_ <= 0 || freedom_ <= 1) {
      return 0;
    }
    const double slope = xy_ / xx_;
    const double error = std::sqrt(std::max(yy_ - slope * xy_, 0.0) / (freedom_ - 1) / xx_);
    return slope < kSureErrors * error ? 0 : std::clamp(slope, 0.0, kSteepest);
  }

 private:
  double xx_ = 0;
  double xy_ = 0;
  double yy_ = 0;
  double freedom_ = 0;
};

/// Takes out what the slots' deviations from the state explain.
void bring_to(Measurement& m, double state, double slope) {
  for (std::size_t pass = 0; pass < m.passes.size(); ++pass) {
    const double factor = is_slot(m, pass) ? std::exp(-slope * deviation(m, pass, state)) : 1;
    for (double& time : m.passes[pass]) {
      time *= factor;
    }
  }
}

}  // namespace

std::vector<Measurement> in_one_state(std::vector<Measurement> measurements, const MeasureSettings& settings,
                                      Seconds clock_tick) {
  const std::map<Ends, double> states = states_of(measurements);
  std::vector<std::pair<Measurement*, double>> with_states;
  std::map<LikeTimes, Slope> slopes;
  for (Measurement& m : measurements) {
    if (const auto state = states.find(ends_of(m)); state != states.end() && !m.passes.empty() && !m.links.empty()) {
      leave_out_others(m, state->second);
      slopes[likeness(m)].add(m, state->second);
      with_states.emplace_back(&m, state->second);
    }
  }
  for (const auto& [m, state] : with_states) {
    bring_to(*m, state, slopes[likeness(*m)].value());
    m->summary = summarise(m->passes, settings.confidence, resolution_of(*m, clock_tick));
    m->precise = m->summary.median_interval.relative_half_width(m->summary.median) <= settings.precision;
  }
  return measurements;
}

void summarise_in_one_state(std::vector<Measurement>& measurements, const MeasureSettings& settings,
                            Seconds clock_tick) {
  const std::vector<Measurement> adjusted = in_one_state(measurements, settings, clock_tick);
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    measurements[i].summary = adjusted[i].summary;
    measurements[i].precise = adjusted[i].precise;
  }
}

std::string tell_other_states(const std::vector<Measurement>& measurements) {
  const std::map<Ends, double> states = states_of(measurements);
  std::size_t slots = 0;
  std::size_t others = 0;
  for (const Measurement& m : measurements) {
    const auto state = states.find(ends_of(m));
    for (std::size_t pass = 0; pass < m.links.size() && state != states.end(); ++pass) {
      const bool is_known = has_link(m, pass);
      slots += is_known ? 1 : 0;
      others += is_known && std::abs(deviation(m, pass, state->second)) > kStateWidth / 2 ? 1 : 0;
    }
  }
  if (static_cast<double>(others) < kWorthTelling * static_cast<double>(slots) || slots == 0) {
    return "";
  }
  const auto& [ends, state] = *states.begin();
  return fmt::format(
      "in {:.0f} % of the sampling slots the machine was in another state than in most, in which a message of 8 bytes "
      "took about {} between ranks {} and {}: those were left out",
      100 * static_cast<double>(others) / static_cast<double>(slots), format_seconds(std::exp(state)), ends.first,
      ends.second);
}

}  // namespace postage
