#pragma once

#include "bench/programs/miss_counter.hpp"
#include "bench/programs/timing.hpp"

namespace postage::bench {

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

/// A stream: each rank of the lower half sends a window of messages to its partner in the upper half, which answers
/// when it has them all.
template <typename Backend>
class Stream {
 public:
  Stream(Backend& backend, int window)
      : backend_(backend),
        window_(window),
        sends_(backend.rank() < pairs()),
        peer_(sends_ ? backend.rank() + pairs() : backend.rank() - pairs()) {}

  [[nodiscard]] bool sends() const { return sends_; }
  [[nodiscard]] int pairs() const { return backend_.size() / 2; }

  /// Message i from, and to, `data` + i * `stride`.
  void run(std::byte* data, std::size_t bytes, std::size_t stride) {
    misses_.start();
    for (int i = 0; i < window_; ++i) {
      std::byte* message = data + stride * static_cast<std::size_t>(i);
      if (sends_) {
        backend_.start_send(message, bytes, peer_);
      } else {
        backend_.start_receive(message, bytes, peer_);
      }
    }
    backend_.wait_all();
    char answer = 0;
    if (sends_) {
      backend_.receive(&answer, 1, peer_);
    } else {
      backend_.send(&answer, 1, peer_);
    }
    misses_.stop();
    messages_ += window_;
  }

  /// Rank 0 prints the time for one message of all pairs together, and, where the processor counts them, the misses of
  /// the last cache for one message, sender and receiver together.
  void report(const std::string& experiment, std::size_t bytes, double seconds_of_window) {
    const double misses = misses_of_both();
    if (backend_.rank() == 0) {
      print(experiment, bytes, seconds_of_window / window_ / pairs());
      if (misses_.error() == 0) {
        print(experiment + "-misses", bytes, misses / messages_);
      }
    }
  }

 private:
  double misses_of_both() {
    double theirs = 0;
    const double ours = misses_.count();
    if (sends_) {
      backend_.receive(&theirs, sizeof theirs, peer_);
    } else {
      backend_.send(&ours, sizeof ours, peer_);
    }
    return ours + theirs;
  }

  Backend& backend_;
  int window_;
  bool sends_;
  int peer_;
  MissCounter misses_;
  double messages_ = 0;
};

/// Either one buffer is reused unmodified, or each message of the window has a distinct buffer, which its sender writes
/// before each window: then buffers are reused from window to window, as in paper 002, section 3.2.
template <typename Backend>
void bandwidth(Backend& backend, std::size_t bytes, const Plan& plan, bool distinct_buffers) {
  Stream<Backend> stream(backend, plan.window);
  const std::size_t stride = distinct_buffers ? (bytes + 4095) / 4096 * 4096 : 0;
  const PageBuffer buffer(bytes + stride * static_cast<std::size_t>(plan.window));
  int written = 0;
  const auto write = [&] {
    ++written;
    for (int i = 0; i < plan.window && stream.sends() && distinct_buffers; ++i) {
      std::memset(buffer.data() + stride * static_cast<std::size_t>(i), written, bytes);
    }
  };
  const double seconds = time_of(backend, plan, write, [&] { stream.run(buffer.data(), bytes, stride); });
  stream.report(distinct_buffers ? "bandwidth-distinct-buffers" : "bandwidth", bytes, seconds);
}

/// Paper 002, section 3.1: no buffer is used twice. The sender writes its 64 buffers, then sends them; for the next
/// window both sides go on to further ones, which no cache holds, since all of them together are larger.
template <typename Backend>
void bandwidth_no_reuse(Backend& backend, std::size_t bytes, const Plan& plan) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kBeyondCaches = std::size_t{128} << 20;
  constexpr std::size_t kMostWindows = 50;
  Stream<Backend> stream(backend, plan.window);
  const std::size_t stride = (bytes + kPage - 1) / kPage * kPage;
  const std::size_t length = stride * static_cast<std::size_t>(plan.window);
  // The second half of the memory is written last at first, and so drives the first half out of the caches.
  const std::size_t windows = plan.repeats > 0 ? static_cast<std::size_t>(plan.repeats)
                                               : std::clamp<std::size_t>(kBeyondCaches / 2 / length, 2, kMostWindows);
  const std::size_t distance = std::max(length, (plan.repeats > 0 ? 0 : kBeyondCaches / 2) / windows / kPage * kPage);
  const PageBuffer buffer(2 * windows * distance);
  std::vector<double> times;
  for (std::size_t i = 0; i < windows; ++i) {
    std::byte* const data = buffer.data() + i * distance;
    if (stream.sends()) {
      std::memset(data, static_cast<int>(i + 2), length);
    }
    backend.barrier();
    const double start = now();
    stream.run(data, bytes, stride);
    times.push_back(now() - start);
  }
  stream.report("bandwidth-no-reuse", bytes, median(times));
}

}  // namespace postage::bench
