#pragma once

#include <postage/samples/samples.hpp>

#include <cstdint>
#include <vector>

namespace postage {

/// Ranks on hosts of their own whose every cost is known: a message of m bytes keeps its sender for C_i + m t_i, its
/// receiver for C_j + m t_j, and takes latency + m per_byte on its link between. Links carry one message after another.
struct KnownCluster {
  std::vector<Seconds> fixed;                 ///< C_i
  std::vector<double> per_byte;               ///< t_i
  std::vector<std::vector<Seconds>> latency;  ///< L_ij
  std::vector<std::vector<double>> wire;      ///< 1/beta_ij

  [[nodiscard]] int ranks() const { return static_cast<int>(fixed.size()); }
  [[nodiscard]] Seconds busy(int rank, Bytes bytes) const;
  [[nodiscard]] Seconds one_way(int from, int to, Bytes bytes) const;
  [[nodiscard]] Seconds time_of(const Experiment& experiment) const;
};

/// Processors and links that differ by a factor of four, the same on every call.
[[nodiscard]] KnownCluster known_cluster(int ranks);

/// What its times are disturbed by.
struct Disturbance {
  std::uint64_t seed = 1;
  double noise = 0;     ///< standard deviation over the time
  double outliers = 0;  ///< share of repetitions that take two to ten times as long
  int repetitions = 24;
};

/// The experiments that every model of the LogP family, PLogP and LMO need, at these sizes; each pair in one direction,
/// each triplet in all six orders.
[[nodiscard]] std::vector<Experiment> all_experiments(int ranks, const std::vector<Bytes>& sizes,
                                                      const std::vector<Bytes>& one_to_two_sizes);

/// `time_of` gives each experiment's undisturbed time.
template <typename TimeOf>
[[nodiscard]] SampleSet measured(int ranks, const std::vector<Experiment>& experiments, const TimeOf& time_of,
                                 const Disturbance& disturbance);

/// Ranks and hosts, nothing measured.
[[nodiscard]] SampleSet without_measurements(int ranks);
/// Repetitions of one experiment in six passes.
[[nodiscard]] Measurement repeated(const Experiment& experiment, Seconds time, const Disturbance& disturbance,
                                   std::uint64_t stream);

template <typename TimeOf>
SampleSet measured(int ranks, const std::vector<Experiment>& experiments, const TimeOf& time_of,
                   const Disturbance& disturbance) {
  SampleSet samples = without_measurements(ranks);
  for (const Experiment& experiment : experiments) {
    samples.measurements.push_back(repeated(experiment, time_of(experiment), disturbance, samples.measurements.size()));
  }
  return samples;
}

}  // namespace postage
