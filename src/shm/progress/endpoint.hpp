#pragma once

#include "shm/progress/liveness.hpp"
#include "shm/progress/matching.hpp"
#include "shm/progress/rendezvous.hpp"
#include "shm/progress/ring_input.hpp"
#include "shm/progress/ring_output.hpp"
#include "shm/progress/waiting.hpp"

#include <postage/shm/endpoint.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace postage::shm {

/// Carries out the calls of ShmEndpoint: starts operations, and makes progress until the one that is waited for is
/// done.
///
///            Endpoint
///           /    |     \.
///   RingInput    |    RingOutput      cells, chunks and answers of each pair's rings
///        \    Rendezvous  /           RTS, CTS, FIN; single copy and cooperative copies
///      Matcher   |    ChunkPool       posted receives and unexpected messages
///             Liveness                who has left, who has died
///
/// Everything moves in progress(): it takes what is in the rings and puts into them what waits for room.
class Endpoint {
 public:
  Endpoint(const ShmSegment& segment, std::int32_t rank, const ShmOptions& options);
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  [[nodiscard]] const Group& group() const { return group_; }
  [[nodiscard]] Connection connection(std::int32_t peer) const;
  void use_thresholds(const ThresholdTable& thresholds) { group_.use_thresholds(thresholds); }

  void send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context);
  MessageStatus receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context);
  [[nodiscard]] ShmRequest start_send(const ConstStridedBytes& message, std::int32_t target, int tag,
                                      std::uint32_t context);
  [[nodiscard]] ShmRequest start_single_copy(const ConstStridedBytes& message, std::int32_t target, int tag,
                                             std::uint32_t context);
  [[nodiscard]] ShmRequest start_receive(const StridedBytes& message, std::int32_t source, int tag,
                                         std::uint32_t context);
  [[nodiscard]] std::optional<MessageStatus> try_probe(std::int32_t source, int tag, std::uint32_t context);
  [[nodiscard]] MessageStatus probe(std::int32_t source, int tag, std::uint32_t context);
  [[nodiscard]] std::optional<MessageStatus> test(ShmRequest& request);
  MessageStatus wait(ShmRequest& request);
  void wait_all(std::span<ShmRequest> requests);

 private:
  void check_target(std::int32_t target, int tag) const;
  void check_source(std::int32_t source, int tag) const;
  [[nodiscard]] bool send_now(const Buffer& buffer, std::int32_t target, int tag, std::uint32_t context);
  [[nodiscard]] Operation& begin_send(const Buffer& buffer, std::int32_t target, const Envelope& envelope,
                                      SendMode mode);
  void send_to_self(Operation& send);
  [[nodiscard]] std::optional<MessageStatus> receive_now(const Buffer& buffer, const Envelope& wanted);
  [[nodiscard]] Operation& begin_receive(const Buffer& buffer, const Envelope& wanted);

  /// Moves what can be moved; whether anything did. Returns early when `awaited` is done.
  bool progress(const Operation* awaited);
  void wait_for(Operation& operation);
  void idle(Patience& patience, Operation* awaited);
  void sleep(Operation* awaited);
  void watch(Operation* awaited);
  /// Abandons a pending operation whose peer has left: it can never be done.
  void abandon_if_hopeless(Operation* awaited);
  void abandon(Operation& operation);
  void send_last_answers();
  MessageStatus conclude(Operation& operation);
  [[nodiscard]] Operation& find(const ShmRequest& request);

  Group group_;
  Liveness liveness_;
  Matcher matcher_;
  OperationTable operations_;
  RingOutput output_;
  Rendezvous rendezvous_;
  RingInput input_;
};

}  // namespace postage::shm
