#pragma once

// The benchmarks of paper 002 (Chai et al., sections 3 and 5.1), once for everything that passes messages. A Backend
// has rank(), size(), barrier(), send(data, bytes, target), receive(data, bytes, source), start_send, start_receive and
// wait_all() for as many as were started, and collective(name, bytes), a function that does it once. Rank 0 prints one
// line a result: experiment, bytes, seconds.

#include "bench/programs/skew.hpp"
#include "bench/programs/streams.hpp"

namespace postage::bench {

/// `bytes` as ScheduleRequest counts them.
template <typename Backend>
void collective(Backend& backend, const std::string& name, std::size_t bytes, const Plan& plan) {
  const auto once = backend.collective(name, bytes);
  const double seconds = time_of(
      backend, plan, [] {}, once);
  if (backend.rank() == 0) {
    print(name, bytes, seconds);
  }
}

template <typename Backend>
void run_plan(Backend& backend, const Plan& plan) {
  for (const std::string& experiment : plan.experiments) {
    for (const std::size_t bytes : plan.sizes) {
      backend.barrier();
      if (experiment == "latency" || experiment == "latency-rewritten") {
        latency(backend, bytes, plan, experiment == "latency-rewritten");
      } else if (experiment == "bandwidth" || experiment == "bandwidth-distinct-buffers") {
        bandwidth(backend, bytes, plan, experiment == "bandwidth-distinct-buffers");
      } else if (experiment == "bandwidth-no-reuse") {
        bandwidth_no_reuse(backend, bytes, plan);
      } else if (experiment == "skew") {
        skew(backend, bytes, plan);
      } else {
        collective(backend, experiment, bytes, plan);
      }
    }
  }
}

}  // namespace postage::bench
