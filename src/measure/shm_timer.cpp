#include "measure/shm_timer.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <span>

namespace postage {
namespace {

constexpr int kWindow = 64;
/// A window of large messages has fewer of them, so that it takes milliseconds rather than seconds.
constexpr Bytes kMostInWindow = Bytes{16} << 20;
constexpr int kTag = 1;

int window_of(Bytes bytes) {
  return static_cast<int>(std::clamp<Bytes>(kMostInWindow / bytes, 4, kWindow));
}

std::size_t most_of(const std::vector<Bytes>& sizes) {
  Bytes most = 0;
  for (const Bytes bytes : sizes) {
    most = std::max(most, bytes * window_of(bytes));
  }
  return static_cast<std::size_t>(most);
}

Seconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<Seconds>(time.tv_sec) + 1e-9 * static_cast<Seconds>(time.tv_nsec);
}

}  // namespace

ProtocolTimer::ProtocolTimer(ShmEndpoint& endpoint, const std::vector<Bytes>& sizes)
    : endpoint_(endpoint), peer_(1 - endpoint.rank()), out_(most_of(sizes), std::byte{1}), in_(out_) {}

Seconds ProtocolTimer::ping_pong(Bytes bytes, int repetitions, bool rewrites) {
  const auto size = static_cast<std::size_t>(bytes);
  const Seconds begin = now();
  for (int i = 0; i < repetitions; ++i) {
    if (endpoint_.rank() == 0) {
      send(size, rewrites);
      receive(size);
    } else {
      receive(size);
      send(size, rewrites);
    }
  }
  return (now() - begin) / (2 * repetitions);
}

Seconds ProtocolTimer::stream(Bytes bytes, int repetitions, bool rewrites) {
  const int window = window_of(bytes);
  const int windows = std::max(repetitions / window, 1);
  Seconds sum = 0;
  for (int i = 0; i < windows; ++i) {
    write(rewrites && endpoint_.rank() == 0 ? static_cast<std::size_t>(window * bytes) : 0);
    const Seconds begin = now();
    pass_window(static_cast<std::size_t>(bytes), window, rewrites);
    sum += now() - begin;
  }
  return sum / (windows * window);
}

Seconds ProtocolTimer::sendrecv(Bytes bytes, int repetitions, bool rewrites) {
  const auto size = static_cast<std::size_t>(bytes);
  const Seconds begin = now();
  for (int i = 0; i < repetitions; ++i) {
    write(rewrites ? size : 0);
    requests_.push_back(endpoint_.start_receive(std::span(in_).first(size), peer_, kTag));
    requests_.push_back(endpoint_.start_send(std::span(out_).first(size), peer_, kTag));
    endpoint_.wait_all(requests_);
    requests_.clear();
  }
  return (now() - begin) / repetitions;
}

void ProtocolTimer::write(std::size_t bytes) {
  if (bytes > 0) {
    std::memset(out_.data(), ++written_, bytes);
  }
}

void ProtocolTimer::send(std::size_t bytes, bool rewrites) {
  write(rewrites ? bytes : 0);
  endpoint_.send(std::span(out_).first(bytes), peer_, kTag);
}

void ProtocolTimer::receive(std::size_t bytes) {
  endpoint_.receive(std::span(in_).first(bytes), peer_, kTag);
}

/// Of rewritten messages each has a buffer of its own.
void ProtocolTimer::pass_window(std::size_t bytes, int window, bool rewrites) {
  for (int k = 0; k < window; ++k) {
    const std::size_t at = rewrites ? bytes * static_cast<std::size_t>(k) : 0;
    requests_.push_back(endpoint_.rank() == 0
                            ? endpoint_.start_send(std::span(out_).subspan(at, bytes), peer_, kTag)
                            : endpoint_.start_receive(std::span(in_).subspan(at, bytes), peer_, kTag));
  }
  endpoint_.wait_all(requests_);
  requests_.clear();
  if (endpoint_.rank() == 0) {
    receive(0);
  } else {
    send(0, false);
  }
}

}  // namespace postage
