#pragma once

#include <postage/base/options.hpp>
#include <postage/samples/samples.hpp>

#include <string>
#include <vector>

namespace postage {

/// What other benchmarks printed, to estimate from, as typed.
struct BenchmarkOptions {
  std::vector<std::string> osu;  ///< FILE or LEVEL=FILE
  std::vector<std::string> imb;
  std::string levels;

  [[nodiscard]] bool any() const { return !osu.empty() || !imb.empty(); }
};

/// --osu, --imb and --levels.
void add_benchmark_options(Command& command, BenchmarkOptions& options);

/// Their tables as samples. Throws UsageError naming option, file or line.
[[nodiscard]] SampleSet benchmark_samples(const BenchmarkOptions& options);

}  // namespace postage
