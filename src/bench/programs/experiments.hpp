#pragma once

// The benchmarks of paper 002 (Chai et al., sections 3 and 5.1), once for everything that passes messages. A Backend
// has rank(), size(), barrier(), send(data, bytes, target), receive(data, bytes, source), start_send, start_receive and
// wait_all() for as many as were started, and collective(name, bytes), a function that does it once. Rank 0 prints one
// line a result: experiment, bytes, seconds.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace postage::bench {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void spin(double seconds) {
  const double end = now() + seconds;
  while (now() < end) {
  }
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Memory at the beginning of a page, written once so that it is there.
class PageBuffer {
 public:
  explicit PageBuffer(std::size_t bytes) : data_(static_cast<std::byte*>(std::aligned_alloc(4096, rounded(bytes)))) {
    std::memset(data_.get(), 1, rounded(bytes));
  }
  [[nodiscard]] std::byte* data() const { return data_.get(); }

 private:
  static std::size_t rounded(std::size_t bytes) { return (bytes / 4096 + 1) * 4096; }
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::unique_ptr<std::byte, Free> data_;
};

struct Plan {
  std::vector<std::string> experiments{"latency"};
  std::vector<std::size_t> sizes{8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304};
  double seconds = 0.05;  ///< per size and experiment, about
  int repeats = 0;        ///< not 0: exactly so often instead, once
  int window = 64;
};

inline void print(const std::string& experiment, std::size_t bytes, double seconds) {
  std::printf("%s %zu %.6g\n", experiment.c_str(), bytes, seconds);
  std::fflush(stdout);
}

/// Rank 0's value for all.
template <typename Backend>
int agree(Backend& backend, int value) {
  for (int other = 1; other < backend.size(); ++other) {
    if (backend.rank() == 0) {
      backend.send(&value, sizeof value, other);
    } else if (backend.rank() == other) {
      backend.receive(&value, sizeof value, 0);
    }
  }
  return value;
}

/// Median over batches of the mean time of `once`, which all ranks that take part call equally often; `prepare`, before
/// each, does not count. A batch takes about a tenth of the plan's time, and all of them not much more than four times
/// that.
template <typename Backend, typename Prepare, typename Once>
double time_of(Backend& backend, const Plan& plan, const Prepare& prepare, const Once& once) {
  const auto batch = [&](int count) {
    double seconds = 0;
    for (int i = 0; i < count; ++i) {
      prepare();
      const double start = now();
      once();
      seconds += now() - start;
    }
    return seconds / count;
  };
  if (plan.repeats > 0) {
    return batch(plan.repeats);
  }
  constexpr double kLeast = 3;
  constexpr double kMost = 11;
  batch(1);
  const double each = batch(2);
  const int count = agree(backend, static_cast<int>(std::clamp(plan.seconds / 10 / each, 1.0, 20000.0)));
  const int batches = agree(backend, static_cast<int>(std::clamp(4 * plan.seconds / (count * each), kLeast, kMost)));
  std::vector<double> times;
  for (int i = 0; i < batches; ++i) {
    times.push_back(batch(count));
  }
  return median(times);
}

/// One way: half a roundtrip between the only two ranks. With `rewrites` the sender writes its buffer before each send,
/// as programs do: then the bytes are in its cache only.
template <typename Backend>
void latency(Backend& backend, std::size_t bytes, const Plan& plan, bool rewrites) {
  const PageBuffer out(bytes);
  const PageBuffer in(bytes);
  const int peer = 1 - backend.rank();
  int written = 0;
  const auto write = [&] {
    if (rewrites) {
      std::memset(out.data(), ++written, bytes);
    }
  };
  const auto roundtrip = [&] {
    if (backend.rank() == 0) {
      write();
      backend.send(out.data(), bytes, peer);
      backend.receive(in.data(), bytes, peer);
    } else {
      backend.receive(in.data(), bytes, peer);
      write();
      backend.send(out.data(), bytes, peer);
    }
  };
  // Several at a time, so that reading the clock does not count.
  constexpr int kRoundtrips = 20;
  const double seconds = time_of(
      backend, plan, [] {},
      [&] {
        for (int i = 0; i < kRoundtrips; ++i) {
          roundtrip();
        }
      });
  if (backend.rank() == 0) {
    print(rewrites ? "latency-rewritten" : "latency", bytes, seconds / kRoundtrips / 2);
  }
}

/// Time for one message of all pairs together, in a stream: each rank of the lower half sends a window of messages to
/// its partner in the upper half, which answers when it has them all. Either one buffer is reused unmodified, or each
/// message of the window has a distinct buffer, which its sender writes before each window.
template <typename Backend>
void bandwidth(Backend& backend, std::size_t bytes, const Plan& plan, bool distinct_buffers) {
  const int pairs = backend.size() / 2;
  const bool sends = backend.rank() < pairs;
  const int peer = sends ? backend.rank() + pairs : backend.rank() - pairs;
  const std::size_t stride = distinct_buffers ? (bytes + 4095) / 4096 * 4096 : 0;
  const PageBuffer buffer(bytes + stride * static_cast<std::size_t>(plan.window));
  char answer = 0;
  int written = 0;
  const auto write = [&] {
    if (sends && distinct_buffers) {
      std::memset(buffer.data(), ++written, stride * static_cast<std::size_t>(plan.window));
    }
  };
  const double seconds = time_of(backend, plan, write, [&] {
    for (int i = 0; i < plan.window; ++i) {
      std::byte* message = buffer.data() + stride * static_cast<std::size_t>(i);
      if (sends) {
        backend.start_send(message, bytes, peer);
      } else {
        backend.start_receive(message, bytes, peer);
      }
    }
    backend.wait_all();
    if (sends) {
      backend.receive(&answer, 1, peer);
    } else {
      backend.send(&answer, 1, peer);
    }
  });
  if (backend.rank() == 0) {
    print(distinct_buffers ? "bandwidth-distinct-buffers" : "bandwidth", bytes, seconds / plan.window / pairs);
  }
}

/// Paper 002, figure 5: the producer computes for 1 us and sends without blocking, the consumer receives and computes
/// for c2, 64 times; the time until the producer has all its sends completed (c3). c2 is given in microseconds. The
/// first such run is reported apart: there the receiver has not seen yet that it falls behind.
template <typename Backend>
void skew(Backend& backend, std::size_t c2_us, const Plan& plan) {
  constexpr std::size_t kBytes = 16384;
  constexpr double kC1 = 1e-6;
  const PageBuffer buffer(kBytes * static_cast<std::size_t>(plan.window));
  std::vector<double> times;
  for (int repeat = 0; repeat < 12; ++repeat) {
    backend.barrier();
    const double start = now();
    for (int i = 0; i < plan.window; ++i) {
      std::byte* message = buffer.data() + kBytes * static_cast<std::size_t>(i);
      if (backend.rank() == 0) {
        spin(kC1);
        backend.start_send(message, kBytes, 1);
      } else {
        backend.receive(message, kBytes, 0);
        spin(1e-6 * static_cast<double>(c2_us));
      }
    }
    if (backend.rank() == 0) {
      backend.wait_all();
    }
    times.push_back(now() - start);
  }
  if (backend.rank() == 0) {
    print("skew-first", c2_us, times.front());
    print("skew", c2_us, median({times.begin() + 2, times.end()}));
  }
}

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
      } else if (experiment == "skew") {
        skew(backend, bytes, plan);
      } else {
        collective(backend, experiment, bytes, plan);
      }
    }
  }
}

}  // namespace postage::bench
