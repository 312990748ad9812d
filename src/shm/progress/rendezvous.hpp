#pragma once

#include "shm/progress/cooperative.hpp"
#include "shm/progress/remote_access.hpp"

namespace postage::shm {

/// Messages that stay with their sender until they are matched.
///
///   sender                               receiver
///     |------------- RTS ------------------>|  the receive is there, or comes later
///     |                                     |  single copy: reads the sender's memory
///     |<------------ FIN -------------------|
///   or
///     |<------------ cooperate -------------|  both copy parts
///     |<------------ FIN -------------------|
///   or
///     |<------------ CTS -------------------|
///     |------ chunk, chunk, chunk --------->|  pipelined, through the sender's pool
class Rendezvous {
 public:
  Rendezvous(Group& group, Liveness& liveness, OperationTable& operations, RingOutput& output)
      : liveness_(liveness),
        operations_(operations),
        output_(output),
        access_(group, liveness),
        cooperative_(group, liveness, output),
        group_(group) {}

  /// The receiver's side: an RTS found its receive.
  void accept(Peer& peer, Operation& receive, const Envelope& envelope, const Rts& rts);
  void take_pipelined(Peer& peer, const PipelinedPiece& piece);

  /// The sender's side: answers to its RTS.
  void take_cts(const Cts& cts);
  void take_fin(Peer& peer, const Fin& fin);
  void take_cooperate(Peer& peer, const Cooperate& with);

  /// Concludes cooperative copies; whether any was.
  bool progress() { return cooperative_.progress(); }
  /// Nobody reads or writes the program's buffers any more.
  void close() { cooperative_.close_all(); }

 private:
  void read(Peer& peer, Operation& receive, const Rts& rts);
  void fail_read(Peer& peer, Operation& receive, const Rts& rts, int error);
  void send_cts(Peer& peer, const Operation& receive, const Rts& rts);
  void send_fin(Peer& peer, const Rts& rts);

  Liveness& liveness_;
  OperationTable& operations_;
  RingOutput& output_;
  RemoteAccess access_;
  CooperativeCopies cooperative_;
  Group& group_;
};

}  // namespace postage::shm
