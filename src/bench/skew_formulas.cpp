#include <postage/bench/skew_formulas.hpp>

#include <algorithm>

namespace postage::closed_form {

Seconds producer_time_by_copies(const SkewBenchmark& benchmark, Seconds send, Seconds wait_all) {
  return (benchmark.producer_computation + send) * benchmark.window + wait_all;
}

Seconds producer_time_by_single_copies(const SkewBenchmark& benchmark, Seconds receive, Seconds wait_all) {
  return (receive + benchmark.consumer_computation) * benchmark.window + wait_all;
}

SkewedProducer play_skew_by_copies(const SkewBenchmark& benchmark, Seconds send) {
  return {.total = benchmark.window * (benchmark.producer_computation + send)};
}

SkewedProducer play_skew_by_single_copies(const SkewBenchmark& benchmark, Seconds send, Seconds receive) {
  Seconds sent = 0;
  Seconds received = 0;
  Seconds ready = 0;  // when the consumer posts its next receive
  for (int i = 0; i < benchmark.window; ++i) {
    sent += benchmark.producer_computation + send;
    received = std::max(ready, sent) + receive;
    ready = received + benchmark.consumer_computation;
  }
  const Seconds total = std::max(sent, received);
  return {.total = total, .wait_all = total - sent};
}

}  // namespace postage::closed_form
