#include <postage/samples/one_state.hpp>
#include <postage/samples/oversubscription.hpp>
#include <postage/samples/samples.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace postage {
namespace {

/// Counts what is remarkable about measurements.
class Tally {
 public:
  Tally(std::size_t measurements, std::vector<std::string>& remarks) : of_(measurements), remarks_(remarks) {}

  void add(const Measurement& m) {
    imprecise_ += m.precise ? 0 : 1;
    unsteady_ += m.summary.steady ? 0 : 1;
    repetitions_ += m.summary.count;
    outliers_ += m.summary.outliers;
    late_ += m.late;
    if (!m.summary.modes.empty()) {
      first_bimodal_ = bimodal_ == 0 ? &m : first_bimodal_;
      ++bimodal_;
    }
  }

  void tell() const {
    if (bimodal_ > 0) {
      const std::vector<Mode>& modes = first_bimodal_->summary.modes;
      tell(fmt::format("{} of {} times jump between two values, like {} of {}: {}, and {} in {:.0f} %", bimodal_, of_,
                       describe(first_bimodal_->experiment), format_bytes(first_bimodal_->experiment.bytes),
                       format_seconds(modes[0].centre), format_seconds(modes[1].centre), 100 * modes[1].share));
    }
    if (unsteady_ > 0) {
      tell(fmt::format("{} of {} times differ from pass to pass by more than chance; their intervals span the passes",
                       unsteady_, of_));
    }
    if (imprecise_ > 0) {
      tell(fmt::format("{} of {} times did not reach the precision asked for within the budget", imprecise_, of_));
    }
    if (outliers_ > 0) {
      tell(fmt::format("{} of {} repetitions are outliers; medians do not feel them", outliers_, repetitions_));
    }
    if (late_ > 0) {
      tell(fmt::format("{} repetitions were left out since some rank was not ready for their start", late_));
    }
  }

 private:
  void tell(std::string remark) const { remarks_.push_back(std::move(remark)); }

  std::size_t of_;
  std::vector<std::string>& remarks_;
  std::size_t imprecise_ = 0;
  std::size_t unsteady_ = 0;
  std::size_t bimodal_ = 0;
  std::size_t repetitions_ = 0;
  std::size_t outliers_ = 0;
  std::size_t late_ = 0;
  const Measurement* first_bimodal_ = nullptr;
};

}  // namespace

bool has_changed(const Summary& before, const Summary& after, double precision) {
  const bool apart = before.median_interval.upper < after.median_interval.lower ||
                     after.median_interval.upper < before.median_interval.lower;
  return apart && std::abs(after.median / before.median - 1) > 2 * precision;
}

double speed_change(const SampleSet& samples) {
  double most = 0;
  for (const Control& control : samples.controls) {
    if (has_changed(control.before, control.after, samples.settings.precision)) {
      most = std::max(most, std::abs(control.after.median / control.before.median - 1));
    }
  }
  return most;
}

std::vector<std::string> drift_warnings(const SampleSet& samples) {
  std::vector<std::string> warnings;
  for (const Control& control : samples.controls) {
    if (has_changed(control.before, control.after, samples.settings.precision)) {
      warnings.push_back(
          fmt::format("the machine's speed changed by {:+.0f} % while it was measured ({} of {}: {} at the beginning, "
                      "{} at the end)",
                      100 * (control.after.median / control.before.median - 1), describe(control.experiment),
                      format_bytes(control.experiment.bytes), format_seconds(control.before.median),
                      format_seconds(control.after.median)));
    }
  }
  return warnings;
}

std::vector<std::string> remarks_on(const SampleSet& samples) {
  std::vector<std::string> remarks = samples.remarks;
  for (const std::string& warning : drift_warnings(samples)) {
    remarks.push_back("warning: " + warning + "; measure again, or trust nothing closer than that");
  }
  const auto has_links = [](const Measurement& m) { return !m.links.empty(); };
  if (std::any_of(samples.measurements.begin(), samples.measurements.end(), has_links)) {
    if (std::string sentence = tell_other_states(samples.measurements); !sentence.empty()) {
      remarks.push_back(std::move(sentence));
    }
  } else if (samples.disturbed_passes > 0) {
    remarks.push_back(fmt::format(
        "in {} of {} passes the machine was faster or slower than in the others: they were left out, and {} made in "
        "their place",
        samples.disturbed_passes, static_cast<std::size_t>(samples.settings.passes) + samples.repeated_passes,
        samples.repeated_passes));
  }
  if (const std::string sentence = tell_oversubscribed(samples.nodes, samples.ranks);
      !sentence.empty() && !samples.is_virtual) {
    remarks.push_back("warning: " + sentence);
  }
  Tally tally(samples.measurements.size(), remarks);
  for (const Measurement& m : samples.measurements) {
    tally.add(m);
  }
  tally.tell();
  if (!samples.left_out.empty()) {
    const Experiment& first = samples.left_out.front();
    remarks.push_back(fmt::format(
        "left out {} experiments whose messages take too long for a budget of {}, like {} of {}: give a "
        "longer --budget",
        samples.left_out.size(), format_seconds(samples.settings.budget), describe(first), format_bytes(first.bytes)));
  }
  if (!samples.ended_early.empty()) {
    remarks.push_back(fmt::format("warning: {}; {} experiments that were made before are kept", samples.ended_early,
                                  samples.measurements.size()));
  }
  if (!samples.unmade.empty()) {
    remarks.push_back(fmt::format("warning: the time limit came before all was measured; not measured: {}",
                                  fmt::join(samples.unmade, "; ")));
  }
  if (samples.clock_error > 0) {
    remarks.push_back(fmt::format("hosts have clocks of their own; after synchronising they agree to {} or better",
                                  format_seconds(samples.clock_error)));
  }
  return remarks;
}

}  // namespace postage
