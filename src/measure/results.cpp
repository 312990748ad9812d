#include "measure/results.hpp"

#include <postage/base/files.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace postage {
namespace {

std::string describe(const Experiment& e) {
  if (e.kind == "collective") {
    return fmt::format("{} {}{}", e.collective, e.algorithm,
                       e.segment_bytes > 0 ? ", segments of " + format_bytes(e.segment_bytes) : "");
  }
  return fmt::format("{} {}-{}{}", e.kind, e.source, e.target,
                     e.messages > 1 ? fmt::format(", {} messages", e.messages) : "");
}

void print_table(const SampleSet& samples) {
  fmt::print("{}, {} ranks\n", samples.implementation, samples.ranks.size());
  fmt::print("{:<36} {:>8} {:>12} {:>9} {:>6}\n", "experiment", "size", "median", "+- %", "times");
  for (const Measurement& m : samples.measurements) {
    fmt::print("{:<36} {:>8} {:>12} {:>8.2f}{} {:>6}\n", describe(m.experiment), format_bytes(m.experiment.bytes),
               format_seconds(m.summary.median), 100 * m.summary.median_interval.relative_half_width(m.summary.median),
               m.precise ? ' ' : '!', m.summary.count);
  }
  const auto imprecise = std::count_if(samples.measurements.begin(), samples.measurements.end(),
                                       [](const Measurement& m) { return !m.precise; });
  if (imprecise > 0) {
    fmt::print("! {} of {} did not reach the precision asked for before their share of the budget ended\n", imprecise,
               samples.measurements.size());
  }
}

}  // namespace

void write_or_print(const SampleSet& samples, const std::string& output) {
  if (output.empty()) {
    print_table(samples);
  } else {
    write_json(output, to_json(samples));
  }
}

}  // namespace postage
