#include "blade/transport/network_transport.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <array>
#include <cstring>
#include <memory>

namespace postage::blade {

void NetworkTransport::send(std::span<const std::byte> message, std::int32_t target, int tag) {
  (void)start_send(message, target, tag);
}

void NetworkTransport::receive(std::span<std::byte> message, std::int32_t source, int tag) {
  wait_all(std::array{start_receive(message, source, tag)});
}

Transport::Request NetworkTransport::start_send(std::span<const std::byte> message, std::int32_t target, int tag) {
  const Spe& from = ppe();
  Spe& to = session_.ppe(target);
  ppe().spend(session_.machine().hardware().mpi_overhead);
  // Eager: what leaves is a copy.
  const auto copy = std::make_shared<std::vector<std::byte>>(message.begin(), message.end());
  simgrid::s4u::Actor::create("message", from.element().host, [&from, &to, copy, tag] {
    from.machine().network_message(from.element(), to.element(), static_cast<Bytes>(copy->size()) + 1);
    to.deliver({Notification::Kind::kMessage, from.number(), tag, *copy, copy});
  });
  requests_.push_back({.is_send = true});
  return requests_.size() - 1;
}

Transport::Request NetworkTransport::start_receive(std::span<std::byte> message, std::int32_t source, int /*tag*/) {
  requests_.push_back({.to = message, .source = source});
  return requests_.size() - 1;
}

void NetworkTransport::wait_all(std::span<const Request> requests) {
  for (const Request request : requests) {
    const PostedReceive& posted = requests_.at(request);
    if (!posted.is_send) {
      // MPI keeps messages of one source in order, and programs wait for them in that order.
      const Notification message = ppe().await(Notification::Kind::kMessage, session_.ppe(posted.source).number());
      ppe().spend(session_.machine().hardware().mpi_overhead);
      std::memcpy(posted.to.data(), message.data.data(), message.data.size());
    }
  }
}

Seconds NetworkTransport::now() const {
  return session_.machine().hardware().seconds(session_.now());
}

void NetworkTransport::wait_until(Seconds time) {
  const Cycles left = (time - now()) * session_.machine().hardware().clock;
  if (left > 0) {
    ppe().spend(left);
  }
}

}  // namespace postage::blade
