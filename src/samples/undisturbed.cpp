#include <postage/samples/one_state.hpp>
#include <postage/samples/samples.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace postage {
namespace {

/// Probes further apart than this saw the machine in different states; or than a power of it, where it is never so
/// still for long.
constexpr double kSameState = 1.1;
/// Passes in one state that are enough to tell of it, as a share of all.
constexpr double kEnoughPasses = 0.25;

bool is_within(double value, double undisturbed, double factor) {
  return value < factor * undisturbed && undisturbed < factor * value;
}

bool is_at(const std::vector<double>& probes, double undisturbed, double factor) {
  return std::all_of(probes.begin(), probes.end(), [&](double probe) { return is_within(probe, undisturbed, factor); });
}

/// Whether a pass's probes are all within the factor of those of one moment of a pass.
bool is_at(const SampleSet& samples, std::size_t pass, std::size_t of, std::size_t moment, double factor) {
  return !samples.probes.front()[pass].empty() &&
         std::all_of(samples.probes.begin(), samples.probes.end(),
                     [&](const auto& point) { return is_at(point[pass], point[of][moment], factor); });
}

/// The passes whose probes are all within the factor of those of one moment, of the moment that most are.
std::vector<bool> passes_in_one_state(const SampleSet& samples, double factor) {
  const std::vector<std::vector<double>>& passes = samples.probes.front();
  std::vector<bool> best(passes.size());
  std::ptrdiff_t most = 0;
  for (std::size_t pass = 0; pass < passes.size(); ++pass) {
    for (std::size_t moment = 0; moment < passes[pass].size(); ++moment) {
      std::vector<bool> at(passes.size());
      for (std::size_t i = 0; i < passes.size(); ++i) {
        at[i] = is_at(samples, i, pass, moment, factor);
      }
      const auto count = std::count(at.begin(), at.end(), true);
      if (count > most) {
        most = count;
        best = std::move(at);
      }
    }
  }
  return best;
}

/// What fixed work took the processors of most slots, within kSameState; 0 where that is not known. O(n log n) for n
/// slots.
double undisturbed_processor_time(const SampleSet& samples) {
  std::vector<double> times;
  for (const Measurement& m : samples.measurements) {
    std::copy_if(m.processors.begin(), m.processors.end(), std::back_inserter(times), [](double t) { return t > 0; });
  }
  std::sort(times.begin(), times.end());
  double undisturbed = 0;
  std::size_t most = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (const double time : times) {
    while (times[begin] * kSameState <= time) {
      ++begin;
    }
    while (end < times.size() && times[end] < kSameState * time) {
      ++end;
    }
    if (end - begin > most) {
      most = end - begin;
      undisturbed = time;
    }
  }
  return undisturbed;
}

/// Keeps those slots in which the processors were as fast as undisturbed, if they are enough.
void keep_undisturbed_slots(Measurement& m, double undisturbed) {
  const auto is_undisturbed = [&](std::size_t pass) { return is_within(m.processors[pass], undisturbed, kSameState); };
  std::size_t slots = 0;
  std::size_t kept = 0;
  for (std::size_t pass = 0; pass < m.processors.size(); ++pass) {
    slots += m.passes[pass].empty() ? 0 : 1;
    kept += !m.passes[pass].empty() && is_undisturbed(pass) ? 1 : 0;
  }
  if (static_cast<double>(kept) < kEnoughPasses * static_cast<double>(slots)) {
    return;
  }
  for (std::size_t pass = 0; pass < m.processors.size(); ++pass) {
    if (!is_undisturbed(pass)) {
      m.passes[pass].clear();
    }
  }
}

}  // namespace

std::vector<bool> undisturbed_passes(const SampleSet& samples) {
  if (samples.probes.empty()) {
    return {};
  }
  const auto probed = std::count_if(samples.probes.front().begin(), samples.probes.front().end(),
                                    [](const std::vector<double>& pass) { return !pass.empty(); });
  std::vector<bool> undisturbed;
  std::ptrdiff_t count = 0;
  for (double factor = kSameState; static_cast<double>(count) < kEnoughPasses * static_cast<double>(probed);
       factor *= kSameState) {
    undisturbed = passes_in_one_state(samples, factor);
    count = std::count(undisturbed.begin(), undisturbed.end(), true);
  }
  return undisturbed;
}

SampleSet keep_undisturbed(SampleSet samples) {
  const std::vector<bool> undisturbed = undisturbed_passes(samples);
  const bool has_values = !undisturbed.empty() && std::all_of(samples.measurements.begin(), samples.measurements.end(),
                                                              [](const Measurement& m) { return !m.passes.empty(); });
  if (!has_values) {
    return samples;
  }
  const double processor_time = undisturbed_processor_time(samples);
  samples.measurements = in_one_state(std::move(samples.measurements), samples.settings, samples.clock_tick);
  for (Measurement& m : samples.measurements) {
    if (!m.links.empty()) {
      continue;
    }
    for (std::size_t pass = 0; pass < m.passes.size(); ++pass) {
      if (pass >= undisturbed.size() || !undisturbed[pass]) {
        m.passes[pass].clear();
      }
    }
    keep_undisturbed_slots(m, processor_time);
    m.summary = summarise(m.passes, samples.settings.confidence, resolution_of(m, samples.clock_tick));
    m.precise = m.summary.median_interval.relative_half_width(m.summary.median) <= samples.settings.precision;
  }
  std::erase_if(samples.measurements, [](const Measurement& m) { return m.summary.count == 0; });
  return samples;
}

}  // namespace postage
