#pragma once

#include "bench/programs/timing.hpp"

namespace postage::bench {

/// What a producer and a consumer take for one window.
struct SkewTimes {
  double total = 0;     ///< c3
  double send = 0;      ///< mean of MPI_Isend
  double wait_all = 0;  ///< MPI_Waitall
  double receive = 0;   ///< the consumer's: median of MPI_Recv, of messages that have come already
};

template <typename Backend>
SkewTimes produce(Backend& backend, const PageBuffer& buffer, std::size_t bytes, int window) {
  constexpr double kC1 = 1e-6;
  SkewTimes times;
  const double start = now();
  for (int i = 0; i < window; ++i) {
    spin(kC1);
    const double before = now();
    backend.start_send(buffer.data() + bytes * static_cast<std::size_t>(i), bytes, 1);
    times.send += (now() - before) / window;
  }
  const double sent = now();
  backend.wait_all();
  times.wait_all = now() - sent;
  times.total = now() - start;
  backend.receive(&times.receive, sizeof times.receive, 1);
  return times;
}

template <typename Backend>
void consume(Backend& backend, const PageBuffer& buffer, std::size_t bytes, int window, double computation) {
  std::vector<double> receives;
  for (int i = 0; i < window; ++i) {
    const double before = now();
    backend.receive(buffer.data() + bytes * static_cast<std::size_t>(i), bytes, 0);
    receives.push_back(now() - before);
    spin(computation);
  }
  const double receive = median(receives);
  backend.send(&receive, sizeof receive, 0);
}

/// Paper 002, figure 5: the producer computes for 1 us and sends without blocking, the consumer receives and computes
/// for c2, 64 times; the time until the producer has all its sends completed (c3), and its parts. c2 is given in
/// microseconds. The first such window is reported apart: there the receiver has not seen yet that it falls behind.
template <typename Backend>
void skew(Backend& backend, std::size_t c2_us, const Plan& plan) {
  constexpr std::size_t kBytes = 16384;
  const PageBuffer buffer(kBytes * static_cast<std::size_t>(plan.window));
  std::vector<SkewTimes> windows;
  for (int repeat = 0; repeat < 12; ++repeat) {
    backend.barrier();
    if (backend.rank() == 0) {
      windows.push_back(produce(backend, buffer, kBytes, plan.window));
    } else {
      consume(backend, buffer, kBytes, plan.window, 1e-6 * static_cast<double>(c2_us));
    }
  }
  if (backend.rank() != 0) {
    return;
  }
  print("skew-first", c2_us, windows.front().total);
  windows.erase(windows.begin(), windows.begin() + 2);
  const auto report = [&](const std::string& experiment, double SkewTimes::*part) {
    std::vector<double> values;
    for (const SkewTimes& times : windows) {
      values.push_back(times.*part);
    }
    print(experiment, c2_us, median(values));
  };
  report("skew", &SkewTimes::total);
  report("skew-send", &SkewTimes::send);
  report("skew-wait-all", &SkewTimes::wait_all);
  report("skew-receive", &SkewTimes::receive);
}

}  // namespace postage::bench
