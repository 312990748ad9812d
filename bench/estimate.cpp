// Cutting a measured curve into lines: cubic in the number of sizes.
#include <postage/estimate/estimate.hpp>

#include <benchmark/benchmark.h>

namespace postage {
namespace {

void cut_curve(benchmark::State& state) {
  std::vector<CurvePoint> points;
  for (std::int64_t i = 1; i <= state.range(0); ++i) {
    const double bytes = static_cast<double>(i) * 1000;
    points.push_back({i * 1000, bytes < 1e4 ? 1e-6 + 1e-9 * bytes : 8e-6 + 1e-10 * bytes});
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(fit_pieces(points));
  }
}

BENCHMARK(cut_curve)->Arg(12)->Arg(24)->Arg(48)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace postage
