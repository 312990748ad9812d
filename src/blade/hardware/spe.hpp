#pragma once

#include "blade/hardware/mfc.hpp"

#include <deque>
#include <span>
#include <vector>

namespace postage::blade {

/// An entry of 16 bytes that another SPE put into this one's local store (Ali et al., section 3.2).
struct Notification {
  enum class Kind {
    kAck,      ///< of data that were fetched
    kSignal,   ///< a message without data, as barriers send
    kAddress,  ///< of data to be fetched
    kMessage,  ///< over the network, between PPEs
  };
  Kind kind = Kind::kSignal;
  int sender = 0;
  int tag = 0;
  std::span<const std::byte> data{};         ///< of an address or a message
  std::shared_ptr<const void> keeps_data{};  ///< of a message
};

/// What the program on an SPE, or on a PPE, sees: DMA puts and gets, the notification arrays in its local store, and
/// its own cycles. Member functions that take time are called by its own actor.
class Spe {
 public:
  Spe(const Machine& machine, const Element& element, int number);

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] const Element& element() const { return element_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }

  /// A DMA put of 16 bytes into another's notification array; `done` is called when it is there.
  void put(Spe& target, const Notification& notification, std::function<void()> done = {});
  /// A DMA get: `done` is called when all bytes have arrived, which the SPE sees then. 16 KB a command.
  void get(const Spe& source, Bytes bytes, std::function<void()> done);
  /// The same, until it is done.
  void get_and_wait(const Spe& source, Bytes bytes);
  /// Computes.
  void spend(Cycles cycles) const;
  /// Combines a vector with another.
  void combine(Bytes bytes) const { spend(machine_.hardware().combining(bytes)); }

  /// Polls until something has arrived that it has not seen: a notification or the end of a get.
  void poll();
  /// Looks, where that has happened already.
  void look() {
    if (unseen_) {
      poll();
    }
  }
  /// Arrives in its notification array; called by whatever brings it.
  void deliver(const Notification& notification);
  /// What has arrived; the program takes out what it has dealt with.
  [[nodiscard]] std::deque<Notification>& arrived() { return arrived_; }
  /// Polls until one of this kind has come from `sender`, and takes it out.
  Notification await(Notification::Kind kind, int sender);

 private:
  void notice();

  const Machine& machine_;
  const Element& element_;
  int number_;
  Mfc mfc_;
  simgrid::s4u::SemaphorePtr polling_;
  bool unseen_ = false;  ///< something has arrived that the program has not looked at
  bool is_polling_ = false;
  std::deque<Notification> arrived_;
};

}  // namespace postage::blade
