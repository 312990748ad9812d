#pragma once

#include "shm/progress/group.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace postage::shm {

/// Which peers still run. A rank that leaves in order says so; of one whose process has ended, however, the kernel has
/// dropped the lock (Mapping).
class Liveness {
 public:
  explicit Liveness(Group& group) : group_(group) {}

  /// To be done before PeerDied is thrown, as the caller may then change its buffers.
  void before_giving_up(std::function<void()> action) { before_giving_up_ = std::move(action); }

  /// Looks at the peers, at most once in WaitPolicy::watch by the coarse clock. Whether it did. Throws PeerDied where a
  /// rank has died.
  bool watch();
  /// The same once in many calls, for a rank that always has something to do.
  bool watch_occasionally() { return ++calls_ % kCallsPerWatch == 0 && watch(); }
  /// Throws PeerDied where a rank has died.
  void check_peers();
  /// ... where one was found dead before.
  void check_usable() const;
  [[nodiscard]] bool is_usable() const { return broken_.empty(); }
  /// No call on this endpoint can succeed any more. Throws PeerDied.
  [[noreturn]] void give_up(const std::string& why);

  [[nodiscard]] static bool is_present(const Peer& peer) {
    return peer.block->card.presence.load(std::memory_order_acquire) == Presence::kPresent;
  }
  /// Its process has ended.
  [[nodiscard]] bool is_gone(const Peer& peer) const;
  /// ... although the rank has not left.
  [[nodiscard]] bool is_dead(const Peer& peer) const;
  /// Whether nothing can come from there any more: it has left, and its ring is empty. `source` may be kAnySource.
  [[nodiscard]] bool is_silent(std::int32_t source);

  /// Throws PeerDied unless the peer was alive within the last 50 ms.
  void confirm_alive(Peer& peer);
  /// Whether what was just read from the peer's memory is the message that it sent: it still lives and still waits.
  /// Throws PeerDied.
  [[nodiscard]] bool still_sends(Peer& peer);
  /// A process that ends has lost its memory some time before it loses its lock: a failure to reach its memory may be
  /// its end. Returns when the peer has left or `longest` has passed. Throws PeerDied.
  void await_end(Peer& peer, Seconds longest);

 private:
  static constexpr std::uint32_t kCallsPerWatch = 1024;

  [[nodiscard]] static bool is_silent_peer(Peer& peer) {
    return peer.block->card.presence.load(std::memory_order_acquire) == Presence::kLeft && peer.in.front() == nullptr;
  }

  Group& group_;
  std::function<void()> before_giving_up_;
  Seconds watched_ = 0;
  std::uint32_t calls_ = 0;
  std::string broken_;  ///< why no call can succeed any more
};

/// The sentence for a receive whose source, or every source, has left.
[[nodiscard]] std::string no_message_from(std::int32_t source);

/// A process number cannot have come to mean another process within this time.
inline constexpr Seconds kTrusted = 50e-3;
/// Between the end of a process's memory and that of its locks, on a machine that has much else to do.
inline constexpr Seconds kLongestEnd = 0.5;

}  // namespace postage::shm
