#include "property/transport/late_transport.hpp"

#include <postage/base/error.hpp>

#include <algorithm>
#include <chrono>

namespace postage {
namespace {

constexpr std::byte kGarbage{0xEE};
constexpr std::chrono::seconds kPatience{30};

/// A contiguous message.
StridedLayout one_run(std::size_t bytes) {
  const auto run = static_cast<Bytes>(bytes);
  return {run > 0 ? 1 : 0, std::max<Bytes>(run, 1), std::max<Bytes>(run, 1)};
}

std::vector<std::byte> packed(std::span<const std::byte> memory, const StridedLayout& layout) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(layout.bytes()));
  pack(memory, layout, bytes);
  return bytes;
}

/// Fills a receive's pieces with garbage.
void spoil(std::span<std::byte> memory, const StridedLayout& layout) {
  unpack(std::vector<std::byte>(static_cast<std::size_t>(layout.bytes()), kGarbage), layout, memory);
}

}  // namespace

template <typename Condition>
void LateWorld::wait_until(std::unique_lock<std::mutex>& lock, std::int32_t rank, const Condition& condition) {
  if (!changed(rank).wait_for(lock, kPatience, [&] { return has_given_up_ || condition(); })) {
    throw Error("a message never came");
  }
  if (has_given_up_) {
    throw Error("another rank failed");
  }
}

std::shared_ptr<LateWorld::Sent> LateWorld::post(std::span<const std::byte> memory, const StridedLayout& layout,
                                                 std::int32_t source, std::int32_t target, int tag) {
  const std::lock_guard lock(mutex_);
  auto& queue = connections_[{source, target, tag}];
  auto sent = std::make_shared<Sent>(Sent{.from = memory, .layout = layout, .bytes = packed(memory, layout)});
  const std::size_t choice = seed_ + queue.size() + 7 * static_cast<std::size_t>(source + 3 * target);
  sent->finished = choice % 3 == 0;
  queue.push_back(sent);
  changed(target).notify_one();
  return sent;
}

void LateWorld::take(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source, std::int32_t target,
                     int tag) {
  std::unique_lock lock(mutex_);
  auto& queue = connections_[{source, target, tag}];
  wait_until(lock, target, [&] { return !queue.empty(); });
  Sent& sent = *queue.front();
  if (sent.bytes.size() != static_cast<std::size_t>(layout.bytes())) {
    throw Error("a message has not the size that its receiver expects");
  }
  if (!sent.finished && sent.bytes != packed(sent.from, sent.layout)) {
    throw Error("a send's buffer changed while it was under way");
  }
  const std::vector<std::byte> before = packed(memory, layout);
  if (std::any_of(before.begin(), before.end(), [](std::byte byte) { return byte != kGarbage; })) {
    throw Error("a receive's buffer was written to while it was under way");
  }
  unpack(sent.bytes, layout, memory);
  sent.finished = true;
  queue.pop_front();
  changed(source).notify_one();
}

void LateWorld::wait_for(const Sent& sent, std::int32_t source) {
  std::unique_lock lock(mutex_);
  wait_until(lock, source, [&] { return sent.finished; });
}

void LateWorld::give_up() {
  const std::lock_guard lock(mutex_);
  has_given_up_ = true;
  for (std::condition_variable& rank : changed_) {
    rank.notify_one();
  }
}

void LateTransport::send(std::span<const std::byte> message, std::int32_t target, int tag) {
  send_strided(message, one_run(message.size()), target, tag);
}

void LateTransport::receive(std::span<std::byte> message, std::int32_t source, int tag) {
  receive_strided(message, one_run(message.size()), source, tag);
}

Transport::Request LateTransport::start_send(std::span<const std::byte> message, std::int32_t target, int tag) {
  return start_send_strided(message, one_run(message.size()), target, tag);
}

Transport::Request LateTransport::start_receive(std::span<std::byte> message, std::int32_t source, int tag) {
  return start_receive_strided(message, one_run(message.size()), source, tag);
}

void LateTransport::send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                                 int tag) {
  world_.wait_for(*world_.post(memory, layout, rank_, target, tag), rank_);
}

void LateTransport::receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source,
                                    int tag) {
  spoil(memory, layout);
  world_.take(memory, layout, source, rank_, tag);
}

Transport::Request LateTransport::start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout,
                                                     std::int32_t target, int tag) {
  operations_.push_back({.sent = world_.post(memory, layout, rank_, target, tag)});
  ++pending_;
  return operations_.size() - 1;
}

Transport::Request LateTransport::start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout,
                                                        std::int32_t source, int tag) {
  spoil(memory, layout);
  operations_.push_back({.into = memory, .layout = layout, .source = source, .tag = tag});
  ++pending_;
  return operations_.size() - 1;
}

void LateTransport::wait_all(std::span<const Request> requests) {
  for (const Request request : requests) {
    finish(operations_[request]);
    --pending_;
  }
}

void LateTransport::finish(const Operation& operation) {
  if (operation.sent) {
    world_.wait_for(*operation.sent, rank_);
  } else {
    world_.take(operation.into, operation.layout, operation.source, rank_, operation.tag);
  }
}

}  // namespace postage
