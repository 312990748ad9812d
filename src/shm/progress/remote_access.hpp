#pragma once

#include "shm/progress/group.hpp"
#include "shm/progress/liveness.hpp"

namespace postage::shm {

/// Whether single copy may touch a peer's memory: found out by reading a token there through the real call. Where the
/// kernel refuses (ptrace_scope, seccomp, user namespaces), the pair falls back to copy-in copy-out, and the rank says
/// so once.
class RemoteAccess {
 public:
  RemoteAccess(Group& group, Liveness& liveness) : group_(group), liveness_(liveness) {}

  /// Throws PeerDied.
  [[nodiscard]] bool is_granted(Peer& peer);
  /// The kernel refuses from now on.
  void refuse(Peer& peer);
  /// Whether an errno of a copy means that the kernel forbids it.
  [[nodiscard]] static bool is_refusal(int error);

 private:
  [[nodiscard]] bool reads_token(Peer& peer);

  Group& group_;
  Liveness& liveness_;
  bool has_warned_ = false;
};

}  // namespace postage::shm
