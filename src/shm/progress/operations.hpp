#pragma once

#include "shm/copy/buffer.hpp"
#include "shm/protocols/selector.hpp"

#include <postage/shm/endpoint.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace postage::shm {

/// Membership of one list; what is in no list is linked to nothing.
template <typename Item>
struct Links {
  Item* previous = nullptr;
  Item* next = nullptr;
};

/// A list through its items' `links`: no allocation, O(1) to add and remove.
template <typename Item>
class List {
 public:
  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  [[nodiscard]] Item* first() const { return first_; }

  void push_back(Item& item) {
    item.links = {last_, nullptr};
    (last_ != nullptr ? last_->links.next : first_) = &item;
    last_ = &item;
  }

  void remove(Item& item) {
    (item.links.previous != nullptr ? item.links.previous->links.next : first_) = item.links.next;
    (item.links.next != nullptr ? item.links.next->links.previous : last_) = item.links.previous;
    item.links = {};
  }

 private:
  Item* first_ = nullptr;
  Item* last_ = nullptr;
};

/// What is asked of an arriving message, and what it says: source or any, tag or any, and a context that must be equal.
struct Envelope {
  std::int32_t source = 0;
  std::int32_t tag = 0;
  std::uint32_t context = 0;

  [[nodiscard]] bool accepts(const Envelope& message) const {
    return (tag == message.tag || tag == kAnyTag) && context == message.context &&
           (source == message.source || source == kAnySource);
  }
};

/// How a send was asked for: by a call that blocks, so that its caller does nothing else meanwhile; by one that starts
/// it; or as one that its receiver copies from the sender's memory whatever its size.
enum class SendMode : std::uint8_t { kBlocking, kStarted, kSingleCopy };

/// A send or a receive from its call to its completion.
struct Operation {
  enum class Kind : std::uint8_t { kSend, kReceive };
  enum class State : std::uint8_t { kFree, kPending, kDone };
  enum class Failure : std::uint8_t { kNone, kTruncated, kPeerLeft, kUnreadable };

  Links<Operation> links{};
  State state = State::kFree;
  Kind kind = Kind::kSend;
  SendProtocol protocol = SendProtocol::kUndecided;  ///< of a send, selected when it is first in its queue
  bool in_list = false;                              ///< of posted receives, or of queued sends
  bool cooperated = false;                           ///< a send whose sender copied parts of it
  SendMode mode = SendMode::kStarted;                ///< of a send
  Failure failure = Failure::kNone;
  std::int32_t peer = 0;  ///< target of a send; of a receive, the source asked for
  Envelope envelope{};    ///< of a send as it arrives, of a receive as it asks
  Buffer buffer{};
  std::uint64_t posted = 0;  ///< orders receives
  std::uint64_t moved = 0;   ///< bytes handed on or taken in
  MessageStatus status{};
  std::uint64_t remote = 0;             ///< the peer's operation, of a send after its CTS
  std::vector<std::uint32_t> chunks{};  ///< taken for a send that goes through the pool
  std::uint32_t index = 0;
  std::uint32_t generation = 1;  ///< tells uses of this object apart

  [[nodiscard]] std::uint64_t id() const { return std::uint64_t{generation} << 32 | index; }
};

/// Operations have stable addresses and are used again; ids of finished ones are recognised as such.
class OperationTable {
 public:
  [[nodiscard]] Operation& create() {
    if (free_.empty()) {
      Operation& added = store_.emplace_back();
      added.index = static_cast<std::uint32_t>(operations_.size());
      operations_.push_back(&added);
      free_.push_back(&added);
    }
    Operation& operation = *free_.back();
    free_.pop_back();
    operation.state = Operation::State::kPending;
    operation.protocol = SendProtocol::kUndecided;
    operation.failure = Operation::Failure::kNone;
    operation.moved = 0;
    operation.chunks.clear();
    operation.in_list = false;
    operation.cooperated = false;
    return operation;
  }

  void release(Operation& operation) {
    operation.state = Operation::State::kFree;
    ++operation.generation;
    operation.chunks.clear();
    free_.push_back(&operation);
  }

  /// nullptr if there is no such operation (any more).
  [[nodiscard]] Operation* find(std::uint64_t id) {
    const std::uint64_t index = id & 0xffffffff;
    if (index >= operations_.size() || operations_[index]->id() != id ||
        operations_[index]->state == Operation::State::kFree) {
      return nullptr;
    }
    return operations_[index];
  }

  /// None is pending, and none waits for its caller to hear of its end.
  [[nodiscard]] bool is_empty() const { return free_.size() == operations_.size(); }

  template <typename Use>
  void for_each_pending(const Use& use) {
    for (Operation* operation : operations_) {
      if (operation->state == Operation::State::kPending) {
        use(*operation);
      }
    }
  }

 private:
  std::deque<Operation> store_;
  std::vector<Operation*> operations_;  ///< by their index
  std::vector<Operation*> free_;
};

/// A message that arrived, wholly or in part, before its receive.
struct Unexpected {
  /// Where its bytes are.
  enum class Content : std::uint8_t {
    kHeld,    ///< in `held`
    kChunks,  ///< in the sender's pool
    kRts,     ///< still with the sender
    kOwn,     ///< in a send of this rank to itself
  };

  Links<Unexpected> links{};
  Envelope envelope{};
  std::uint64_t bytes = 0;
  std::uint64_t arrival = 0;
  std::uint64_t arrived = 0;  ///< bytes so far, in order
  Content content = Content::kHeld;
  std::vector<std::byte> held{};
  std::vector<PipelinedPiece> chunks{};
  std::uint32_t received = 0;  ///< of a message in chunks, as PieceInPool says
  Rts rts{};
  Operation* own = nullptr;
};

}  // namespace postage::shm
