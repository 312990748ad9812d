#pragma once

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

}  // namespace postage::bench
