#include "samples/sample_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace postage {
namespace {

bool is_among(const Experiment& e, std::int64_t ranks) {
  return std::max({e.source, e.target, e.second_target, e.root}) < ranks && e.ranks <= ranks &&
         std::ranges::all_of(e.members, [&](std::int32_t member) { return member < ranks; });
}

}  // namespace

void check_ranks(const SampleSet& samples, const JsonField& file) {
  for (const RankPlacement& place : samples.ranks) {
    if (place.node < 0 || static_cast<std::size_t>(place.node) >= samples.nodes.size()) {
      throw file["ranks"].wrong(fmt::format("on the {} nodes of the file", samples.nodes.size()));
    }
  }
  const auto check = [&](const Experiment& experiment, const char* list) {
    if (!is_among(experiment, static_cast<std::int64_t>(samples.ranks.size()))) {
      throw file[list].wrong(fmt::format("between its ranks, 0 to {}, and '{}' is not", std::ssize(samples.ranks) - 1,
                                         describe(experiment)));
    }
  };
  for (const Measurement& measurement : samples.measurements) {
    check(measurement.experiment, "measurements");
  }
  for (const Control& control : samples.controls) {
    check(control.experiment, "controls");
  }
  for (const Experiment& experiment : samples.left_out) {
    check(experiment, "left_out");
  }
}

}  // namespace postage
