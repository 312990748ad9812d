#pragma once

#include <postage/samples/samples.hpp>

#include <utility>
#include <vector>

/// Two ranks of one host, and what was measured between them.
namespace postage::test {

using Field = ExperimentField;
inline constexpr ExperimentFields kPair{Field::kSource, Field::kTarget};
inline constexpr ExperimentFields kAll{Field::kRoot, Field::kRanks, Field::kMethod};

inline Measurement measured(const Experiment& experiment, std::vector<std::vector<double>> passes) {
  return {.experiment = experiment, .summary = summarise(passes, 0.95), .passes = std::move(passes)};
}

inline Experiment roundtrip(Bytes bytes) {
  return {.kind = ExperimentKind("roundtrip", kPair.with({Field::kReplyBytes})),
          .target = 1,
          .bytes = bytes,
          .reply_bytes = bytes};
}

inline SampleSet campaign(std::vector<Measurement> measurements) {
  SampleSet samples{.implementation = "X 1"};
  samples.nodes = {{"n0", {{{0, 0, 0, 0}, {1, 0, 0, 0}}}}};
  samples.ranks = {{0, 0}, {0, 1}};
  samples.measurements = std::move(measurements);
  return samples;
}

}  // namespace postage::test
