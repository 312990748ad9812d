#pragma once

#include "validate/suite/points.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Files for smpirun with the run's ranks on its nodes.
[[nodiscard]] VirtualClusterFiles files_of(const SuiteRun& run, const std::filesystem::path& folder);

/// The machine that a run simulates; none for a cluster of which every pair has a link of its own.
[[nodiscard]] std::optional<VirtualMachine> machine_of(const SuiteRun& run);

/// True where times vary by themselves.
[[nodiscard]] bool has_noise(const SuiteRun& run);

/// How long it takes to simulate a run, beside others; of no unit.
[[nodiscard]] double simulation_cost(const SuiteRun& run);

/// Times of the run's points, in their order, by our executor: two of each, more where these differ or messages
/// scatter.
[[nodiscard]] std::vector<std::vector<double>> simulate(const SuiteRun& run);

/// The same of points on a cluster with files of its own, with at most so many repetitions.
[[nodiscard]] std::vector<std::vector<double>> simulate_points(const VirtualClusterFiles& files, int ranks,
                                                               const std::vector<BatchPoint>& points, int repetitions);

/// Times of the points by SMPI's own implementation `algorithm` of their collective.
[[nodiscard]] std::vector<std::vector<double>> simulate_library(const SuiteRun& run, const std::string& collective,
                                                                const std::string& algorithm);

}  // namespace postage
