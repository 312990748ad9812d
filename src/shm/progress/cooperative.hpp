#pragma once

#include "shm/progress/group.hpp"
#include "shm/progress/liveness.hpp"
#include "shm/progress/ring_output.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace postage::shm {

/// Cooperative get and put: receiver and sender claim parts of a message in turn. The receiver reads its parts from the
/// sender's memory, the sender writes its parts into the receiver's.
class CooperativeCopies {
 public:
  CooperativeCopies(Group& group, Liveness& liveness, RingOutput& output)
      : group_(group), liveness_(liveness), output_(output) {}

  /// Starts one for a matched receive; false where the message is too short, not contiguous, or its sender is itself
  /// busy reading from this rank.
  [[nodiscard]] bool begin(Peer& peer, Operation& receive, const Rts& rts);
  /// Concludes those whose sender has reported its last part; whether any was.
  bool progress() { return !copies_.empty() && conclude_all(); }
  /// No part is claimed any more, and none is being written: the buffers are the program's again.
  void close_all();

  /// The sender's side: writes parts into the receiver's memory as long as there are any.
  void help(Peer& peer, const Operation& send, const Cooperate& with);

 private:
  /// One of which this rank is the receiver.
  struct Copy {
    Operation* receive = nullptr;
    Rts rts{};
    std::int32_t source = 0;
    std::uint32_t slot = 0;
    std::uint32_t parts = 0;
    std::uint32_t turn = 0;
    std::uint32_t read = 0;  ///< parts that this rank has copied
    bool failed = false;     ///< it claimed a part that it could not read
    bool closed = false;     ///< nobody copies any more
  };

  [[nodiscard]] PartClaims& claims_of(const Copy& copy) const { return group_.own->claims[copy.slot]; }
  [[nodiscard]] bool read_part(Copy& copy, std::uint32_t part);
  void read_parts(Copy& copy);
  /// True where nothing is left to do for it.
  [[nodiscard]] bool conclude(Copy& copy);
  void conclude_failed(Copy& copy);
  [[nodiscard]] bool conclude_all();
  void close(Copy& copy);
  void send_fin(const Copy& copy);

  Group& group_;
  Liveness& liveness_;
  RingOutput& output_;
  std::vector<Copy> copies_;
  std::uint32_t slots_used_ = 0;  ///< of this rank's part claims, as bits
  std::array<std::uint32_t, kCooperativeCopies> turns_{};
};

}  // namespace postage::shm
