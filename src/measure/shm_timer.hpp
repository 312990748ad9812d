#pragma once

#include <postage/shm/endpoint.hpp>

#include <cstddef>
#include <vector>

namespace postage {

/// One of two ranks that send each other messages; both call each function, with the same arguments. `rewrites`: a
/// sender writes its buffer before each message.
class ProtocolTimer {
 public:
  /// For messages of these sizes.
  ProtocolTimer(ShmEndpoint& endpoint, const std::vector<Bytes>& sizes);

  /// Seconds one way.
  [[nodiscard]] Seconds ping_pong(Bytes bytes, int repetitions, bool rewrites);
  /// Seconds from one message to the next, in windows that rank 1 acknowledges; writing buffers does not count.
  [[nodiscard]] Seconds stream(Bytes bytes, int repetitions, bool rewrites);
  /// Seconds of a message to the peer and one from it at the same time.
  [[nodiscard]] Seconds sendrecv(Bytes bytes, int repetitions, bool rewrites);

 private:
  void write(std::size_t bytes);
  void send(std::size_t bytes, bool rewrites);
  void receive(std::size_t bytes);
  void pass_window(std::size_t bytes, int window, bool rewrites);

  ShmEndpoint& endpoint_;
  std::int32_t peer_;
  std::vector<std::byte> out_;
  std::vector<std::byte> in_;
  std::vector<ShmRequest> requests_;
  int written_ = 0;
};

}  // namespace postage
