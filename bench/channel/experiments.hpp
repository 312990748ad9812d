#pragma once

// The benchmarks of paper 002 (Chai et al., sections 3.1 to 3.4), once for everything that passes messages. A Backend
// has rank(), size(), barrier(), send(data, bytes, target), receive(data, bytes, source), and start_send, start_receive
// and wait_all() for as many as were started. Rank 0 prints one line a result: experiment, bytes, value, unit.

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
  int window = 64;
};

inline void print(const char* experiment, std::size_t bytes, double value, const char* unit) {
  std::printf("%s %zu %.6g %s\n", experiment, bytes, value, unit);
  std::fflush(stdout);
}

/// So many repetitions that one batch takes about a tenth of the time given.
template <typename Once>
int batch_size(double seconds, const Once& once) {
  once();
  const double start = now();
  for (int i = 0; i < 4; ++i) {
    once();
  }
  const double each = (now() - start) / 4;
  return static_cast<int>(std::clamp(seconds / 10 / each, 1.0, 20000.0));
}

/// Rank 0 tells all how often to repeat.
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

/// Median over ten batches of the mean time of `once`, which all ranks that take part call equally often.
template <typename Backend, typename Once>
double time_of(Backend& backend, double seconds, const Once& once) {
  // All ranks make the same number of calls while rank 0 finds out the size of a batch.
  const int count = agree(backend, batch_size(seconds, once));
  std::vector<double> batches;
  for (int batch = 0; batch < 11; ++batch) {
    const double start = now();
    for (int i = 0; i < count; ++i) {
      once();
    }
    batches.push_back((now() - start) / count);
  }
  return median(batches);
}

/// One way, in microseconds: half a roundtrip between the only two ranks. With `fresh` the sender writes its buffer
/// anew before each send, as programs do: then the bytes are in its cache only.
template <typename Backend>
void latency(Backend& backend, std::size_t bytes, const Plan& plan, bool fresh) {
  const PageBuffer out(bytes);
  const PageBuffer in(bytes);
  const int peer = 1 - backend.rank();
  int round = 0;
  const auto write = [&] {
    if (fresh) {
      std::memset(out.data(), ++round, bytes);
    }
  };
  const double seconds = time_of(backend, plan.seconds, [&] {
    if (backend.rank() == 0) {
      write();
      backend.send(out.data(), bytes, peer);
      backend.receive(in.data(), bytes, peer);
    } else {
      backend.receive(in.data(), bytes, peer);
      write();
      backend.send(out.data(), bytes, peer);
    }
  });
  if (backend.rank() == 0) {
    print(fresh ? "latency-fresh" : "latency", bytes, 1e6 * seconds / 2, "us");
  }
}

/// Megabytes per second of all pairs together: the lower half of the ranks each sends a window of messages to its
/// partner in the upper half, which answers when it has them all. `buffers` 1 uses one buffer again and again; the
/// window's size gives each message its own.
template <typename Backend>
void bandwidth(Backend& backend, std::size_t bytes, const Plan& plan, bool own_buffers) {
  const int pairs = backend.size() / 2;
  const bool sends = backend.rank() < pairs;
  const int peer = sends ? backend.rank() + pairs : backend.rank() - pairs;
  const std::size_t stride = own_buffers ? (bytes + 4095) / 4096 * 4096 : 0;
  const PageBuffer buffer(bytes + stride * static_cast<std::size_t>(plan.window));
  char answer = 0;
  const double seconds = time_of(backend, plan.seconds, [&] {
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
    const double total = static_cast<double>(bytes) * plan.window * pairs;
    print(own_buffers ? "bandwidth-own-buffers" : "bandwidth", bytes, 1e-6 * total / seconds, "MB/s");
  }
}

/// Paper 002, figure 5: the producer computes for 1 us and sends without blocking, the consumer receives and computes
/// for c2, 64 times; microseconds until the producer has all its sends completed (c3). `bytes` is c2 in microseconds.
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
    print("skew-first", c2_us, 1e6 * times.front(), "us");
    print("skew", c2_us, 1e6 * median({times.begin() + 2, times.end()}), "us");
  }
}

template <typename Backend>
void run_plan(Backend& backend, const Plan& plan) {
  for (const std::string& experiment : plan.experiments) {
    for (const std::size_t bytes : plan.sizes) {
      backend.barrier();
      if (experiment == "latency" || experiment == "latency-fresh") {
        latency(backend, bytes, plan, experiment == "latency-fresh");
      } else if (experiment == "bandwidth" || experiment == "bandwidth-own-buffers") {
        bandwidth(backend, bytes, plan, experiment == "bandwidth-own-buffers");
      } else if (experiment == "skew") {
        skew(backend, bytes, plan);
      }
    }
  }
}

}  // namespace postage::bench
