#include <postage/bench/skew_formulas.hpp>

namespace postage::closed_form {

Seconds producer_time_by_copies(const SkewBenchmark& benchmark, Seconds send, Seconds wait_all) {
  return (benchmark.producer_computation + send) * benchmark.window + wait_all;
}

Seconds producer_time_by_single_copies(const SkewBenchmark& benchmark, Seconds receive, Seconds wait_all) {
  return (receive + benchmark.consumer_computation) * benchmark.window + wait_all;
}

}  // namespace postage::closed_form
