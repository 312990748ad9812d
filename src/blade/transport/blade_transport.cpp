#include "blade/transport/blade_transport.hpp"

#include <postage/transport/executor.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace postage::blade {
namespace {

/// The executor acknowledges gets, which are acknowledged here already.
bool is_acknowledgement(std::span<const std::byte> message, int tag) {
  return message.empty() && tag >= kAcknowledgementTags;
}

}  // namespace

void BladeTransport::send(std::span<const std::byte> message, std::int32_t target, int tag) {
  wait_all(std::array{start_send(message, target, tag)});
}

void BladeTransport::receive(std::span<std::byte> message, std::int32_t source, int tag) {
  wait_all(std::array{start_receive(message, source, tag)});
}

Transport::Request BladeTransport::start_send(std::span<const std::byte> message, std::int32_t target, int tag) {
  if (is_acknowledgement(message, tag)) {
    pending_[next_] = {.sends = true, .peer = target, .tag = tag, .state = Pending::State::kDone};
    return next_++;
  }
  const bool has_data = !message.empty();
  pending_[next_] = {
      .sends = true, .peer = target, .tag = tag, .state = has_data ? Pending::State::kPosted : Pending::State::kDone};
  spe().put(spe(target), {has_data ? Notification::Kind::kAddress : Notification::Kind::kSignal, rank_, tag, message});
  return next_++;
}

Transport::Request BladeTransport::start_receive(std::span<std::byte> message, std::int32_t source, int tag) {
  const bool has_come = is_acknowledgement(message, tag);
  pending_[next_] = {.sends = false,
                     .peer = source,
                     .tag = tag,
                     .to = message,
                     .state = has_come ? Pending::State::kDone : Pending::State::kPosted};
  return next_++;
}

BladeTransport::Pending* BladeTransport::find(bool sends, const Notification& notification) {
  for (auto& [request, pending] : pending_) {
    if (pending.sends == sends && pending.peer == notification.sender && pending.tag == notification.tag &&
        pending.state == Pending::State::kPosted) {
      return &pending;
    }
  }
  return nullptr;
}

void BladeTransport::fetch(Pending& receive, const Notification& address) {
  receive.state = Pending::State::kGetting;
  spe().get(spe(receive.peer), static_cast<Bytes>(address.data.size()), [&receive, data = address.data] {
    // As late as possible: a sender that changes the data before the acknowledgement is found out.
    std::memcpy(receive.to.data(), data.data(), data.size());
    receive.state = Pending::State::kArrived;
  });
}

bool BladeTransport::handle(const Notification& notification) {
  Pending* const pending = find(notification.kind == Notification::Kind::kAck, notification);
  if (pending == nullptr) {
    return false;
  }
  if (notification.kind == Notification::Kind::kAddress) {
    fetch(*pending, notification);
  } else {
    pending->state = Pending::State::kDone;
  }
  return true;
}

bool BladeTransport::progress() {
  bool any = false;
  spe().look();
  for (std::size_t i = 0; i < spe().arrived().size();) {
    // A get takes time, in which more may arrive behind it.
    if (const Notification notification = spe().arrived()[i]; handle(notification)) {
      spe().arrived().erase(spe().arrived().begin() + static_cast<std::ptrdiff_t>(i));
      any = true;
    } else {
      ++i;
    }
  }
  for (auto& [request, pending] : pending_) {
    if (pending.state == Pending::State::kArrived) {
      pending.state = Pending::State::kAcknowledging;
      spe().put(spe(pending.peer), {Notification::Kind::kAck, rank_, pending.tag},
                [&receive = pending] { receive.state = Pending::State::kDone; });
      any = true;
    }
  }
  return any;
}

void BladeTransport::wait_all(std::span<const Request> requests) {
  const auto done = [&] {
    return std::all_of(requests.begin(), requests.end(),
                       [&](Request request) { return pending_.at(request).state == Pending::State::kDone; });
  };
  while (!done()) {
    if (!progress()) {
      spe().poll();
    }
  }
  for (const Request request : requests) {
    pending_.erase(request);
  }
}

Seconds BladeTransport::now() const {
  return session_.machine().hardware().seconds(session_.now());
}

void BladeTransport::wait_until(Seconds time) {
  const Cycles left = (time - now()) * spe().machine().hardware().clock;
  if (left > 0) {
    spe().spend(left);
  }
}

}  // namespace postage::blade
