#pragma once

#include <postage/base/error.hpp>
#include <postage/base/units.hpp>
#include <postage/shm/buffers.hpp>
#include <postage/shm/segment.hpp>
#include <postage/shm/thresholds.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace postage {

namespace shm {
class Endpoint;
}

/// A rank of the group is dead: no later call on this endpoint can succeed.
class PeerDied : public Error {
 public:
  using Error::Error;
};

/// The rank that a message was to come from, or to go to, has left the group in order.
class PeerLeft : public Error {
 public:
  using Error::Error;
};

/// A message was longer than the buffer of the receive that it matched. The message is gone, and what the buffer holds
/// is unspecified; the endpoint goes on.
class Truncated : public Error {
 public:
  using Error::Error;
};

inline constexpr std::int32_t kAnySource = -1;
inline constexpr std::int32_t kAnyTag = -1;

/// What a receive or a probe found.
struct MessageStatus {
  std::int32_t source = 0;
  std::int32_t tag = 0;
  Bytes bytes = 0;
  bool operator==(const MessageStatus&) const = default;
};

/// A send or receive under way; null once it has been waited for.
class ShmRequest {
 public:
  ShmRequest() = default;
  explicit ShmRequest(std::uint64_t operation) : operation_(operation) {}
  [[nodiscard]] bool is_null() const { return operation_ == 0; }
  [[nodiscard]] std::uint64_t operation() const { return operation_; }

 private:
  std::uint64_t operation_ = 0;
};

/// How a rank waits: it looks without pause for `spin`, then gives its core to others between looks for `yield`, then
/// sleeps until a peer wakes it. Where there are more ranks than cores it does not spin.
struct WaitPolicy {
  Seconds spin = 100e-6;
  Seconds yield = 2e-3;
  /// At least this often a waiting rank looks whether its peers still live.
  Seconds watch = 0.1;
};

struct ShmOptions {
  /// Without any, ThresholdTable::of_environment(buffers).
  std::optional<ThresholdTable> thresholds{};
  /// What the program mostly does with its send buffers; only matters where `thresholds` is empty.
  BufferUse buffers = BufferUse::kRewritten;
  WaitPolicy waiting{};
  /// False sends everything through shared memory, as if the kernel forbade reading another process's memory.
  bool single_copy = true;
  /// Whether messages of more than one piece are written into shared memory with non-temporal stores. Without a value,
  /// every rank selects for each peer by the time that its copies take.
  std::optional<bool> non_temporal{};
  /// What a user should know once, like a pair that falls back to copy-in copy-out; by default a line on standard
  /// error.
  std::function<void(const std::string&)> warn{};
};

/// Messages between this rank and one peer, by protocol; of a receiver, those that it received.
struct ProtocolCounts {
  std::uint64_t eager = 0;        ///< through the ring of the pair
  std::uint64_t buffered = 0;     ///< copy-in copy-out: left in the sender's pool until the receiver takes them
  std::uint64_t pipelined = 0;    ///< through the pool, chunk by chunk, after the receiver's CTS
  std::uint64_t single_copy = 0;  ///< read by the receiver from the sender's memory
  std::uint64_t cooperative = 0;  ///< read by the receiver and written by the sender, in parts
};

/// What a rank knows of its connection to one peer.
struct Connection {
  LocalityLevel level = LocalityLevel::kCache;
  ProtocolThresholds thresholds{};
  ProtocolCounts sent{};
  ProtocolCounts received{};
  bool non_temporal = false;         ///< this rank's longer sends to the peer are written with non-temporal stores
  bool single_copy_refused = false;  ///< reading the peer's memory was tried and did not work, or is switched off
  bool peer_reports_skew = false;    ///< this rank's sends to the peer take `skewed_single_copy` now
  bool skew_reported = false;        ///< this rank asked the peer to do so
  std::uint64_t skew_raised = 0;     ///< how often this rank asked for the higher threshold ...
  std::uint64_t skew_restored = 0;   ///< ... and took it back
  std::uint64_t bidirectional_messages = 0;  ///< large ones received while one of this rank's was under way to the peer
  std::size_t unexpected_messages = 0;       ///< arrived and not yet asked for
};

/// Counts of what waiting did.
struct WaitCounts {
  std::uint64_t yields = 0;
  std::uint64_t sleeps = 0;
  std::uint64_t wakes = 0;  ///< of sleeping peers
};

/// One rank's end of a group of processes on one node that pass messages to one another.
///
/// Matching is MPI's: a receive names a source or kAnySource, a tag or kAnyTag, and a context; messages from one rank
/// match in the order in which they were sent. Tags are >= 0. Sends and receives of zero bytes and to oneself are
/// messages like others. A send may return before its message was received; a buffer must stay as it is until its
/// operation has completed.
///
/// Calls come from one thread, and messages move only within calls. Every waiting call throws PeerDied at most a second
/// after the death of any rank.
class ShmEndpoint {
 public:
  /// Joins as `rank` and waits for the others. Throws UsageError if the rank does not exist or has joined already,
  /// Error where the others do not come within the segment's patience, PeerDied.
  ShmEndpoint(const ShmSegment& segment, std::int32_t rank, const ShmOptions& options = {});
  /// Leaves: peers that wait for this rank get PeerLeft. What it has sent can still be received.
  ~ShmEndpoint();
  ShmEndpoint(ShmEndpoint&&) noexcept;
  ShmEndpoint& operator=(ShmEndpoint&&) noexcept;
  ShmEndpoint(const ShmEndpoint&) = delete;
  ShmEndpoint& operator=(const ShmEndpoint&) = delete;

  [[nodiscard]] std::int32_t rank() const;
  [[nodiscard]] std::int32_t size() const;

  void send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context = 0);
  /// Throws Truncated.
  MessageStatus receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context = 0);

  [[nodiscard]] ShmRequest start_send(const ConstStridedBytes& message, std::int32_t target, int tag,
                                      std::uint32_t context = 0);
  /// A send whose receiver copies the message from where it lies, whatever its size: single copy, where the kernel lets
  /// the receiver read this rank's memory, otherwise as start_send does. It completes when the receiver has done so.
  [[nodiscard]] ShmRequest start_single_copy(const ConstStridedBytes& message, std::int32_t target, int tag,
                                             std::uint32_t context = 0);
  [[nodiscard]] ShmRequest start_receive(const StridedBytes& message, std::int32_t source, int tag,
                                         std::uint32_t context = 0);
  /// The status (of a send: target, tag and bytes) and a null request if it has completed. A null request has
  /// completed.
  [[nodiscard]] std::optional<MessageStatus> test(ShmRequest& request);
  MessageStatus wait(ShmRequest& request);
  /// Waits for all, then throws what the first of them that failed would have thrown.
  void wait_all(std::span<ShmRequest> requests);

  /// A message that a receive with the same arguments would take now; it stays where it is.
  [[nodiscard]] std::optional<MessageStatus> try_probe(std::int32_t source, int tag, std::uint32_t context = 0);
  /// Waits for one.
  [[nodiscard]] MessageStatus probe(std::int32_t source, int tag, std::uint32_t context = 0);

  /// For the messages that this rank sends from now on.
  void use_thresholds(const ThresholdTable& thresholds);

  /// Throws UsageError for a rank that does not exist, and for this one.
  [[nodiscard]] Connection connection(std::int32_t peer) const;
  [[nodiscard]] WaitCounts wait_counts() const;

 private:
  std::unique_ptr<shm::Endpoint> endpoint_;
};

}  // namespace postage
