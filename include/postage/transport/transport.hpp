#pragma once

#include <postage/base/strides.hpp>
#include <postage/schedule/schedule.hpp>
#include <postage/transport/strided.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// One rank's part in a collective of the library behind a transport, such as MPI_Bcast. Buffers are those of
/// RankBuffers.
struct LibraryCall {
  Collective collective = Collective::kBarrier;
  Rank root = 0;
  /// As ScheduleRequest::bytes.
  Bytes bytes = 0;
  /// Of gatherv, scatterv and allgatherv instead: of each rank's block. Empty where they are equal.
  std::vector<Bytes> block_bytes{};
  /// Reductions add elements of this size, doubles or single bytes.
  Bytes element_bytes = 1;
  Strides strides{};
  std::span<const std::byte> send{};
  std::span<std::byte> receive{};
};

/// Point-to-point messages among a fixed group of ranks and a clock: what experiments and the executor need from MPI
/// or from shared memory. One object a rank; calls come from one thread.
class Transport {
 public:
  /// A pending operation; valid until waited for.
  using Request = std::size_t;

  virtual ~Transport() = default;

  [[nodiscard]] virtual std::int32_t rank() const = 0;
  [[nodiscard]] virtual std::int32_t size() const = 0;
  /// Host that this rank runs on, and the hardware thread that it is bound to (-1 if it may move).
  [[nodiscard]] virtual std::string host() const = 0;
  [[nodiscard]] virtual int bound_pu() const = 0;
  /// "Open MPI 4.1.4", ...
  [[nodiscard]] virtual std::string implementation() const = 0;

  virtual void send(std::span<const std::byte> message, std::int32_t target, int tag) = 0;
  virtual void receive(std::span<std::byte> message, std::int32_t source, int tag) = 0;
  [[nodiscard]] virtual Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) = 0;
  [[nodiscard]] virtual Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) = 0;
  /// A send whose data its receiver asks for when it is there, as the announcement says where they lie: by MPI's
  /// synchronous mode; over shared memory copied by the receiver from this rank's memory. The receiver calls
  /// start_receive. Transports without such a protocol send as start_send does.
  [[nodiscard]] virtual Request start_rendezvous(std::span<const std::byte> message, std::int32_t target, int tag) {
    return start_send(message, target, tag);
  }
  /// Waits for all and forgets them.
  virtual void wait_all(std::span<const Request> requests) = 0;
  virtual void barrier() = 0;

  /// A message of strided bytes, as this transport sends it: by MPI's vector datatypes, or else packed into a buffer.
  /// `memory` has layout.extent() bytes. A strided message can be received contiguously and the other way round.
  virtual void send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                            int tag);
  virtual void receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source, int tag);
  /// Throws UsageError where the transport cannot do so.
  [[nodiscard]] virtual Request start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout,
                                                   std::int32_t target, int tag);
  [[nodiscard]] virtual Request start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout,
                                                      std::int32_t source, int tag);

  /// Calls the library's own collective, whichever algorithm it takes, with derived datatypes where the buffers are
  /// strided. Throws UsageError where the transport has none.
  virtual void call_library(const LibraryCall& call);

  /// Seconds since some fixed moment; virtual under a simulator.
  [[nodiscard]] virtual Seconds now() const = 0;
  /// True where now() of all ranks is one clock (one node, or a simulator).
  [[nodiscard]] virtual bool has_global_clock() const = 0;
  /// True where now() is simulated and a repeated measurement gives the same value.
  [[nodiscard]] virtual bool is_virtual() const = 0;
  /// Returns at or just after now() == time: spins on real hardware, sleeps in a simulator.
  virtual void wait_until(Seconds time) = 0;
  /// Lets the simulated time pass that this rank's processor needs for so many operations, like additions. Nothing on
  /// real hardware, where they have taken their time already.
  virtual void account_for(double operations);
};

}  // namespace postage
