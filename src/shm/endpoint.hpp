#pragma once

#include "shm/chunk_pool.hpp"
#include "shm/exchanges.hpp"
#include "shm/mapping.hpp"
#include "shm/matching.hpp"
#include "shm/past_caches.hpp"
#include "shm/skew.hpp"
#include "shm/waiting.hpp"

#include <postage/shm/endpoint.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage::shm {

/// A message that comes in pieces: exactly one of `receive` and `unexpected` is set while it does.
struct Inbound {
  Operation* receive = nullptr;
  Unexpected* unexpected = nullptr;
  std::uint64_t total = 0;
  std::uint64_t arrived = 0;
  bool found_full = false;  ///< its sender was waiting for room when it began
  Judged judged{};
  Ticks counted_to = 0;  ///< of the clock
};

/// What this rank keeps of one peer.
struct Peer {
  Peer(const Layout& layout, std::int32_t self, std::int32_t peer, const WriteJudge& judge, std::uint32_t seldom_trial);

  std::int32_t rank;
  RankBlock* block;
  Producer out;
  Consumer in;
  const PairControl* told;  ///< what the peer says of what this rank sends
  PairControl* tell;        ///< what this rank says of what the peer sends

  LocalityLevel distance = LocalityLevel::kSameCache;
  ProtocolThresholds thresholds{};
  bool introduced = false;  ///< the peer knows that this rank sends to it
  bool in_unsent = false;
  std::uint32_t offered = 0;  ///< sends that wait for the peer to take them
  List<Operation> line;       ///< sends that wait for room or for their turn
  std::deque<Answer> answers;
  std::deque<Operation*> pushes;  ///< sends that the peer asked for, one after the other
  Inbound inbound;

  enum class Reach : std::uint8_t { kUnknown, kYes, kNo };
  Reach reach = Reach::kUnknown;  ///< whether this process may touch the peer's memory
  Seconds seen_alive = 0;         ///< by coarse_now()
  SkewJudge skew;
  WriteJudge writing;  ///< of this rank's sends to the peer
  Exchanges exchanges;
  WaysBySize offers;                ///< of the peer, that cross nothing of this rank's
  Ticks last_pushed = 0;            ///< when the last message that the peer pushed was complete
  std::uint32_t ring_messages = 0;  ///< that were written in several pieces
  bool is_answered = true;          ///< it has sent something since the last such message
  ProtocolCounts sent{};
  ProtocolCounts received{};
};

/// A joint copy of which this rank is the receiver.
struct JointReceive {
  Operation* receive = nullptr;
  Offer offer{};
  std::int32_t source = 0;
  std::uint32_t slot = 0;
  std::uint32_t parts = 0;
  std::uint32_t turn = 0;
  Judged judged{};
  std::uint32_t read = 0;  ///< parts that this rank has copied
  bool failed = false;     ///< it claimed a part that it could not read
  bool closed = false;     ///< nobody copies any more
};

/// The sentence for a receive whose source, or every source, has left.
[[nodiscard]] std::string no_message_from(std::int32_t source);

/// One rank's end of the channel: see ShmEndpoint, whose calls it carries out.
///
/// Everything moves in progress(): it takes what is in the rings and puts into them what waits for room. Whoever waits
/// calls it until what they wait for is done.
class Endpoint {
 public:
  Endpoint(const ShmSegment& segment, std::int32_t rank, const ShmOptions& options);
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  [[nodiscard]] std::int32_t rank() const { return rank_; }
  [[nodiscard]] std::int32_t size() const { return size_; }

  // endpoint_send.cpp
  void send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context);
  [[nodiscard]] ShmRequest start_send(const ConstStridedBytes& message, std::int32_t target, int tag,
                                      std::uint32_t context);
  // endpoint_receive.cpp
  MessageStatus receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context);
  [[nodiscard]] ShmRequest start_receive(const StridedBytes& message, std::int32_t source, int tag,
                                         std::uint32_t context);
  [[nodiscard]] std::optional<MessageStatus> try_probe(std::int32_t source, int tag, std::uint32_t context);
  [[nodiscard]] MessageStatus probe(std::int32_t source, int tag, std::uint32_t context);
  // endpoint_wait.cpp
  [[nodiscard]] std::optional<MessageStatus> test(ShmRequest& request);
  MessageStatus wait(ShmRequest& request);
  void wait_all(std::span<ShmRequest> requests);

  void use_thresholds(const ThresholdTable& thresholds);
  [[nodiscard]] Connection connection(std::int32_t peer) const;
  [[nodiscard]] WaitCounts wait_counts() const { return counts_; }

 private:
  // endpoint.cpp: joining and leaving
  void present_oneself();
  void say_the_last_answers();
  void await_others();
  void learn_places();
  void warn(const std::string& sentence) const;

  // endpoint_send.cpp: ways of sending. Those that return bool say whether the send no longer needs the line.
  void check_target(std::int32_t target, int tag) const;
  [[nodiscard]] bool send_at_once(const Buffer& buffer, std::int32_t target, int tag, std::uint32_t context);
  [[nodiscard]] Operation& create_send(const Buffer& buffer, std::int32_t target, int tag, std::uint32_t context);
  void begin_send(Operation& send, bool blocking);
  [[nodiscard]] bool advance(Peer& peer, Operation& send);
  [[nodiscard]] bool takes_single_copy(const Peer& peer, std::uint64_t bytes) const;
  [[nodiscard]] bool goes_through_ring(const Peer& peer, std::uint64_t bytes) const;
  void choose_way(Peer& peer, Operation& send);
  template <typename Body>
  static void put_piece(Cell& cell, const Operation& send, const Body& piece);
  [[nodiscard]] bool reserve_chunks(Operation& send);
  [[nodiscard]] bool put_whole(Peer& peer, const Buffer& buffer, const Envelope& envelope);
  [[nodiscard]] bool put_in_ring(Peer& peer, Operation& send);
  [[nodiscard]] bool put_pieces(Peer& peer, Operation& send, bool past_caches);
  [[nodiscard]] bool put_in_pool(Peer& peer, Operation& send);
  [[nodiscard]] bool put_chunks(Peer& peer, Operation& send);
  [[nodiscard]] bool put_offer(Peer& peer, Operation& send);
  void publish(Peer& peer);
  void send_to_self(Operation& send, bool blocking);
  [[nodiscard]] bool push_pieces(Operation& send);
  void answer(Peer& peer, const Answer& answer);
  [[nodiscard]] bool put_answer(Peer& peer, const Answer& answer);
  void note_unsent(Peer& peer);
  /// Puts into the rings what waits for room; whether anything moved.
  bool push_out();
  bool push_out_to(Peer& peer);

  // endpoint_receive.cpp: posting, and taking what lies in the rings
  void check_source(std::int32_t source, int tag) const;
  [[nodiscard]] Operation& create_receive(const StridedBytes& message, std::int32_t source, int tag,
                                          std::uint32_t context);
  std::optional<MessageStatus> receive_at_once(const Buffer& buffer, const Envelope& wanted);
  void begin_receive(Operation& receive);
  void take_unexpected(Operation& receive, Unexpected& message);
  bool drain(Peer& peer, const Operation* awaited);
  [[nodiscard]] bool takes_ahead(Peer& peer);
  void take(Peer& peer, const Cell& cell);
  void pop(Peer& peer);
  void take_whole(Peer& peer, const Cell& cell);
  void begin_message(Peer& peer, const Envelope& envelope, const Piece& piece, std::uint32_t seen);
  void take_piece(Peer& peer, const Piece& piece, const std::byte* in_cell);
  void take_offer(Peer& peer, const Envelope& envelope, const Offer& offer);
  void take_push(const Push& push);
  void take_pushed(Peer& peer, const PushedPiece& piece);
  void take_finished(Peer& peer, const Finished& finished);
  void receive_piece(Operation& receive, const std::byte* from, std::uint64_t offset, std::uint64_t bytes);
  void finish_receive(Operation& receive, const Envelope& envelope, std::uint64_t total);
  [[nodiscard]] Unexpected& create_unexpected(const Envelope& envelope, std::uint64_t bytes);
  void release_unexpected(Unexpected& message);
  void give_back(Peer& peer, std::uint32_t chunk);
  void judge_skew(Peer& peer, bool found_full);

  // endpoint_judge.cpp: which way long messages should take
  [[nodiscard]] std::optional<LongWay> exchange_way(const Peer& peer, const Operation& send) const;
  /// Whether this rank judges messages of this size that cross its own.
  [[nodiscard]] bool judges_exchanges(const Peer& peer, std::uint64_t bytes) const;
  /// A long message found its receive: whether its way is judged by what it takes. One in chunks has its way, one that
  /// is offered gets it here.
  [[nodiscard]] Judged judge_chunks(Peer& peer, std::uint64_t bytes, std::uint32_t seen);
  [[nodiscard]] Judged judge_offer(Peer& peer, const Offer& offer);
  [[nodiscard]] Judged judge_crossing(const Peer& peer, std::uint64_t bytes) const;
  void observe_pushed(Peer& peer, Judged judged, std::uint64_t bytes);
  void observe(Peer& peer, const Judged& judged, LongWay way, std::uint64_t bytes);

  // endpoint_large.cpp: offers, and copying from process to process
  void accept_offer(Peer& peer, Operation& receive, const Envelope& envelope, const Offer& offer);
  void read_offer(Peer& peer, Operation& receive, const Offer& offer, Judged judged);
  void ask_for_push(Peer& peer, Operation& receive, const Offer& offer);
  [[nodiscard]] bool can_touch(Peer& peer);
  [[nodiscard]] bool try_token(Peer& peer);
  void await_end(Peer& peer, Seconds longest);
  void refuse_single_copy(Peer& peer);
  void fail_remote_copy(Peer& peer, Operation& receive, const Offer& offer, int error);
  /// Whether what was just read from the peer's memory is what it offered: it still lives and still waits.
  [[nodiscard]] bool still_offers(Peer& peer);
  void trust(Peer& peer);
  [[nodiscard]] bool begin_joint(Peer& peer, Operation& receive, const Offer& offer, const Judged& judged);
  bool continue_joints();
  void read_parts(JointReceive& joint);
  [[nodiscard]] bool read_part(JointReceive& joint, std::uint32_t part);
  [[nodiscard]] bool finish_joint(JointReceive& joint);
  void take_join(Peer& peer, const Join& join);
  void close_joint(JointReceive& joint);
  void close_joints();

  // endpoint_wait.cpp
  /// Moves what can be moved; whether anything did. Returns early when `awaited` is done.
  bool progress(const Operation* awaited);
  void find_senders();
  void wait_for(Operation& operation);
  void idle(Patience& patience, Operation* awaited);
  void doze(Operation* awaited);
  /// After anything that a sleeping peer may wait for.
  void ring_bell(Peer& peer) { counts_.wakes += wake<Linux>(peer.block->doorbell, needs_fences_) ? 1 : 0; }
  /// Throws PeerDied where a rank has died, abandons `awaited` where it can never be done; looks at most once in
  /// WaitPolicy::watch, by the coarse clock.
  void watch(Operation* awaited);
  void watch_now_and_then(Operation* awaited);
  void check_peers();
  void check_usable() const;
  [[noreturn]] void give_up(const std::string& why);
  [[nodiscard]] static bool is_present(const Peer& peer) {
    return peer.block->card.presence.load(std::memory_order_acquire) == Presence::kPresent;
  }
  /// Its process is no more.
  [[nodiscard]] bool is_gone(const Peer& peer) const;
  /// ... although it has not left.
  [[nodiscard]] bool is_dead(const Peer& peer) const;
  /// Whether nothing can come from there any more: it has left, and its ring is empty.
  [[nodiscard]] bool is_silent(Peer& peer);
  [[nodiscard]] bool is_silent_source(std::int32_t source);
  [[nodiscard]] bool is_hopeless(const Operation& operation);
  void abandon(Operation& operation);
  static void fail(Operation& operation, Operation::Failure failure);
  MessageStatus conclude(Operation& operation);
  [[nodiscard]] Operation& find(const ShmRequest& request);

  [[nodiscard]] Peer& peer(std::int32_t rank) { return peers_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] RankBlock& own() const { return *own_; }

  ShmSegment segment_;
  Mapping& mapping_;
  Layout layout_;
  std::size_t cell_payload_;  ///< bytes of a message that one cell can carry
  std::int32_t rank_;
  std::int32_t size_;
  RankBlock* own_ = nullptr;
  ShmOptions options_;
  bool has_barriers_ = false;
  bool needs_fences_ = false;  ///< some rank has no membarrier
  bool more_ranks_than_cores_ = false;
  std::vector<Peer> peers_;
  std::vector<std::uint64_t> senders_seen_;
  std::vector<Peer*> senders_;  ///< peers that have ever sent to this rank
  std::vector<Peer*> unsent_;   ///< peers with a line, answers or pushes
  std::vector<JointReceive> joints_;
  Matcher matcher_;
  OperationTable operations_;
  std::deque<Unexpected> unexpected_store_;
  std::vector<Unexpected*> unexpected_free_;
  ChunkPool pool_;
  WaitCounts counts_{};
  std::uint32_t slots_used_ = 0;  ///< of this rank's shares, as bits
  std::array<std::uint32_t, kShares> turns_{};
  Seconds watched_ = 0;
  std::uint32_t looks_ = 0;
  bool has_warned_ = false;
  std::string broken_;  ///< why no call can succeed any more
};

}  // namespace postage::shm
