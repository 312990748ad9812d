#pragma once

#include "support/guarded_memory.hpp"
#include "support/ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <random>
#include <vector>

namespace postage::test {

/// What random traffic is made of.
struct TrafficShape {
  std::int32_t ranks = 2;
  int batches = 4;
  int messages_per_batch = 40;
  std::vector<Bytes> sizes{};  ///< drawn from evenly
  std::uint64_t seed = 1;
};

struct TrafficMessage {
  std::int32_t source = 0;
  std::int32_t target = 0;
  int tag = 0;
  std::uint32_t context = 0;
  Bytes bytes = 0;
  std::uint64_t number = 0;  ///< its bytes follow from this
  bool blocking = false;
  bool strided = false;
  bool any_source = false;  ///< how its receive is posted
  bool any_tag = false;
};

/// Random messages among all ranks, in batches that are known to all of them beforehand. Receives are made from the
/// messages, some with wildcards. Within a batch and context those without wildcards are posted first, so that every
/// receive finds a message; which one, the sender's order and the receives' order decide, and that is checked.
class Traffic {
 public:
  explicit Traffic(const TrafficShape& shape) : shape_(shape) {
    std::mt19937_64 random(shape.seed);
    const auto below = [&](std::uint64_t end) { return static_cast<std::int32_t>(random() % end); };
    std::uint64_t number = 1;
    for (int batch = 0; batch < shape.batches; ++batch) {
      batches_.emplace_back();
      for (int i = 0; i < shape.messages_per_batch; ++i) {
        batches_.back().push_back({.source = below(static_cast<std::uint64_t>(shape.ranks)),
                                   .target = below(static_cast<std::uint64_t>(shape.ranks)),
                                   .tag = below(3),
                                   .context = static_cast<std::uint32_t>(below(2)),
                                   .bytes = shape.sizes[random() % shape.sizes.size()],
                                   .number = number++,
                                   .blocking = below(3) == 0,
                                   .strided = below(4) == 0,
                                   .any_source = below(4) == 0,
                                   .any_tag = below(4) == 0});
      }
    }
  }

  /// One rank's part. Throws std::runtime_error where something arrives that should not.
  void run(ShmEndpoint& endpoint) const {
    for (std::size_t batch = 0; batch < batches_.size(); ++batch) {
      run_batch(endpoint, batches_[batch], shape_.seed + 1000 * batch);
      synchronise(endpoint);
    }
  }

 private:
  static constexpr std::uint32_t kOwnContext = 77;

  static std::vector<std::byte> bytes_of(std::uint64_t number, Bytes bytes) {
    std::vector<std::byte> all(static_cast<std::size_t>(bytes));
    std::uint64_t mixed = number * 0x9e3779b97f4a7c15U;
    for (std::byte& value : all) {
      mixed += 0xd1b54a32d192ed03U;
      value = static_cast<std::byte>(mixed >> 56);
    }
    return all;
  }

  struct Receive {
    TrafficMessage made_from;
    GuardedMemory memory;
    ShmRequest request{};
    MessageStatus status{};
  };

  void run_batch(ShmEndpoint& endpoint, const std::vector<TrafficMessage>& batch, std::uint64_t seed) const {
    std::mt19937_64 random(seed * 31 + static_cast<std::uint64_t>(endpoint.rank()));
    std::list<Receive> receives = make_receives(endpoint.rank(), batch, seed);
    std::vector<const TrafficMessage*> sends;
    for (const TrafficMessage& message : batch) {
      if (message.source == endpoint.rank()) {
        sends.push_back(&message);
      }
    }
    std::list<GuardedMemory> sent;
    std::vector<ShmRequest> send_requests;
    const auto in_order =
        static_cast<std::int32_t>(std::mt19937_64(seed)() % static_cast<std::uint64_t>(endpoint.size()));
    if (endpoint.rank() == in_order) {
      for (const TrafficMessage* message : sends) {
        // What it sends to itself it can receive only later: a blocking send leaves a copy.
        TrafficMessage now = *message;
        now.blocking = now.target == in_order;
        send(endpoint, now, true, sent, send_requests);
      }
      endpoint.wait_all(send_requests);
      receive_in_order(endpoint, receives);
      check(endpoint.rank(), batch, receives);
      return;
    }
    auto next_receive = receives.begin();
    auto next_send = sends.begin();
    while (next_receive != receives.end() || next_send != sends.end()) {
      const bool posts = next_send == sends.end() || (next_receive != receives.end() && random() % 2 == 0);
      if (posts) {
        post(endpoint, *next_receive++);
        continue;
      }
      // A send that waits must keep this rank neither from posting what others wait for nor from sending what the rank
      // that receives in order waits for before.
      const bool may_block = next_receive == receives.end() && (*next_send)->target != in_order;
      send(endpoint, **next_send, may_block, sent, send_requests);
      ++next_send;
      if (random() % 8 == 0) {
        static_cast<void>(endpoint.try_probe(kAnySource, kAnyTag, kOwnContext + 1));
      }
    }
    finish(endpoint, receives, random);
    endpoint.wait_all(send_requests);
    check(endpoint.rank(), batch, receives);
  }

  std::list<Receive> make_receives(std::int32_t rank, const std::vector<TrafficMessage>& batch,
                                   std::uint64_t seed) const {
    std::vector<TrafficMessage> mine;
    std::copy_if(batch.begin(), batch.end(), std::back_inserter(mine),
                 [&](const TrafficMessage& message) { return message.target == rank; });
    std::mt19937_64 random(seed + 17 * static_cast<std::uint64_t>(rank));
    std::shuffle(mine.begin(), mine.end(), random);
    const auto wildness = [](const TrafficMessage& message) {
      return (message.any_source ? 1 : 0) + (message.any_tag ? 1 : 0);
    };
    // One kind of single wildcard a batch: two different ones could starve each other.
    const bool source_first = random() % 2 == 0;
    for (TrafficMessage& message : mine) {
      if (wildness(message) == 1) {
        message.any_source = source_first;
        message.any_tag = !source_first;
      }
    }
    std::stable_sort(mine.begin(), mine.end(), [&](const auto& a, const auto& b) { return wildness(a) < wildness(b); });
    Bytes largest = 0;
    for (const TrafficMessage& message : mine) {
      largest = std::max(largest, message.bytes);
    }
    std::list<Receive> receives;
    for (const TrafficMessage& message : mine) {
      // Only messages of one envelope can be told apart by nothing but their order: room for any of them.
      receives.push_back({message, GuardedMemory(largest, message.strided), {}, {}});
    }
    return receives;
  }

  static std::int32_t source_of(const TrafficMessage& from) { return from.any_source ? kAnySource : from.source; }
  static int tag_of(const TrafficMessage& from) { return from.any_tag ? kAnyTag : from.tag; }

  static void post(ShmEndpoint& endpoint, Receive& receive) {
    const TrafficMessage& from = receive.made_from;
    receive.request = endpoint.start_receive(receive.memory.view(), source_of(from), tag_of(from), from.context);
  }

  /// By blocking calls. One rank a batch does so, after its sends: of two each could wait for the other's receives.
  static void receive_in_order(ShmEndpoint& endpoint, std::list<Receive>& receives) {
    for (Receive& receive : receives) {
      const TrafficMessage& from = receive.made_from;
      receive.status = endpoint.receive(receive.memory.view(), source_of(from), tag_of(from), from.context);
    }
  }

  static void send(ShmEndpoint& endpoint, const TrafficMessage& message, bool may_block, std::list<GuardedMemory>& sent,
                   std::vector<ShmRequest>& requests) {
    GuardedMemory& memory = sent.emplace_back(message.bytes, message.strided);
    memory.fill(bytes_of(message.number, message.bytes));
    if (message.blocking && may_block) {
      endpoint.send(memory.const_view(), message.target, message.tag, message.context);
      // The buffer is the program's again.
      memory.spoil();
    } else {
      requests.push_back(endpoint.start_send(memory.const_view(), message.target, message.tag, message.context));
    }
  }

  static void finish(ShmEndpoint& endpoint, std::list<Receive>& receives, std::mt19937_64& random) {
    std::vector<Receive*> open;
    for (Receive& receive : receives) {
      open.push_back(&receive);
    }
    std::shuffle(open.begin(), open.end(), random);
    for (Receive* receive : open) {
      for (int tries = static_cast<int>(random() % 3); tries > 0 && !receive->request.is_null(); --tries) {
        if (const auto status = endpoint.test(receive->request)) {
          receive->status = *status;
        }
      }
      if (!receive->request.is_null()) {
        receive->status = endpoint.wait(receive->request);
      }
    }
  }

  /// A receive, in the order of posting, must have got the first message of its source that it accepts and that no
  /// earlier receive has taken.
  static void check(std::int32_t rank, const std::vector<TrafficMessage>& batch, std::list<Receive>& receives) {
    std::vector<TrafficMessage> left;
    std::copy_if(batch.begin(), batch.end(), std::back_inserter(left),
                 [&](const TrafficMessage& message) { return message.target == rank; });
    for (Receive& receive : receives) {
      const TrafficMessage& wanted = receive.made_from;
      const auto found = std::find_if(left.begin(), left.end(), [&](const TrafficMessage& message) {
        return message.source == receive.status.source && message.context == wanted.context &&
               (wanted.any_tag || message.tag == wanted.tag) && (wanted.any_source || message.source == wanted.source);
      });
      require(found != left.end(), "a receive got a message that nobody sent");
      require(receive.status == MessageStatus{found->source, found->tag, found->bytes},
              "message " + std::to_string(found->number) + " came as from " + std::to_string(receive.status.source) +
                  " with tag " + std::to_string(receive.status.tag) + " and " + std::to_string(receive.status.bytes) +
                  " bytes instead of " + std::to_string(found->bytes));
      require(receive.memory.holds_only(bytes_of(found->number, found->bytes)),
              "message " + std::to_string(found->number) + " of " + std::to_string(found->bytes) +
                  " bytes came damaged, or wrote beside its buffer");
      left.erase(found);
    }
    require(left.empty(), "messages are left over");
  }

  /// Nobody goes on before all have their messages: what comes next must not be taken by this batch's wildcards.
  static void synchronise(ShmEndpoint& endpoint) {
    const std::byte token{};
    for (std::int32_t distance = 1; distance < endpoint.size(); distance *= 2) {
      std::byte in{};
      ShmRequest request = endpoint.start_receive(
          std::span(&in, 1), (endpoint.rank() - distance + endpoint.size()) % endpoint.size(), distance, kOwnContext);
      endpoint.send(std::span(&token, 1), (endpoint.rank() + distance) % endpoint.size(), distance, kOwnContext);
      endpoint.wait(request);
    }
  }

  TrafficShape shape_;
  std::vector<std::vector<TrafficMessage>> batches_;
};

}  // namespace postage::test
