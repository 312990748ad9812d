#include "shm/progress/liveness.hpp"

#include "shm/progress/waiting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace postage::shm {
namespace {

constexpr std::chrono::microseconds kShortPause(50);

}  // namespace

std::string no_message_from(std::int32_t source) {
  return source == kAnySource
             ? "no message can come any more: all other ranks have left the shared-memory group"
             : fmt::format("no message can come from rank {}: it has left the shared-memory group", source);
}

bool Liveness::watch() {
  const Seconds time = coarse_now();
  if (time - watched_ < group_.options.waiting.watch) {
    return false;
  }
  watched_ = time;
  check_peers();
  return true;
}

void Liveness::check_peers() {
  for (Peer& other : group_.peers) {
    if (other.rank == group_.rank) {
      continue;
    }
    if (other.block->card.presence.load(std::memory_order_acquire) == Presence::kGaveUp) {
      give_up(fmt::format("rank {} of the shared-memory group gave up after another rank's death", other.rank));
    }
    if (is_dead(other)) {
      give_up(fmt::format("rank {} of the shared-memory group has died", other.rank));
    }
    other.seen_alive = watched_;
  }
}

void Liveness::check_usable() const {
  if (!broken_.empty()) {
    throw PeerDied(broken_);
  }
}

void Liveness::give_up(const std::string& why) {
  // Buffers of pending sends may change once the caller has heard of the failure: nobody must read them any more.
  Presence present = Presence::kPresent;
  group_.own->card.presence.compare_exchange_strong(present, Presence::kGaveUp, std::memory_order_seq_cst);
  broken_ = why;
  if (before_giving_up_) {
    before_giving_up_();
  }
  throw PeerDied(why);
}

bool Liveness::is_gone(const Peer& peer) const {
  return peer.block->card.process != group_.own->card.process && !group_.mapping.locked_elsewhere(peer.rank);
}

bool Liveness::is_dead(const Peer& peer) const {
  // Whoever leaves says so before it lets go of its lock.
  return is_present(peer) && is_gone(peer) && is_present(peer);
}

bool Liveness::is_silent(std::int32_t source) {
  if (source != kAnySource) {
    return source != group_.rank && is_silent_peer(group_.peer(source));
  }
  return group_.size > 1 && std::all_of(group_.peers.begin(), group_.peers.end(), [&](Peer& other) {
           return other.rank == group_.rank || is_silent_peer(other);
         });
}

void Liveness::confirm_alive(Peer& peer) {
  const Seconds time = coarse_now();
  if (time - peer.seen_alive > kTrusted) {
    if (is_dead(peer)) {
      give_up(fmt::format("rank {} of the shared-memory group has died", peer.rank));
    }
    peer.seen_alive = time;
  }
}

bool Liveness::still_sends(Peer& peer) {
  confirm_alive(peer);
  const Presence presence = peer.block->card.presence.load(std::memory_order_acquire);
  if (presence == Presence::kGaveUp) {
    give_up(fmt::format("rank {} of the shared-memory group gave up after another rank's death", peer.rank));
  }
  return presence == Presence::kPresent;
}

void Liveness::await_end(Peer& peer, Seconds longest) {
  const Seconds deadline = now() + longest;
  while (is_present(peer) && now() < deadline) {
    check_peers();
    std::this_thread::sleep_for(kShortPause);
  }
}

}  // namespace postage::shm
