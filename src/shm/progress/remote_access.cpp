#include "shm/progress/remote_access.hpp"

#include "shm/copy/remote_copy.hpp"

#include <fmt/format.h>

#include <cerrno>

namespace postage::shm {

bool RemoteAccess::is_refusal(int error) {
  return error == EPERM || error == EACCES || error == ENOSYS;
}

bool RemoteAccess::is_granted(Peer& peer) {
  if (peer.access == Peer::Access::kUnknown) {
    if (!group_.options.single_copy) {
      peer.access = Peer::Access::kRefused;
    } else if (reads_token(peer)) {
      peer.access = Peer::Access::kGranted;
    } else if (Liveness::is_present(peer)) {
      refuse(peer);
    }
  }
  return peer.access == Peer::Access::kGranted;
}

bool RemoteAccess::reads_token(Peer& peer) {
  const Card& card = peer.block->card;
  const int error = read_token(card.pid, card.token_address, card.token);
  if (error != 0 && !is_refusal(error)) {
    liveness_.await_end(peer, kTrusted);
  }
  return error == 0;
}

void RemoteAccess::refuse(Peer& peer) {
  peer.access = Peer::Access::kRefused;
  peer.own_control->no_single_copy.store(1, std::memory_order_release);
  if (!has_warned_) {
    has_warned_ = true;
    group_.warn(fmt::format(
        "rank {} may not read the memory of rank {} (process_vm_readv; ptrace_scope, seccomp or user namespaces forbid "
        "it): large messages between them, and between further ranks for which this is found, are copied twice",
        group_.rank, peer.rank));
  }
}

}  // namespace postage::shm
