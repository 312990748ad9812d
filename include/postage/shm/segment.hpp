#pragma once

#include <postage/base/units.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace postage {

namespace shm {
class Mapping;
}

/// How much shared memory a group of ranks takes, and from where. All of it is reserved when the segment is created, so
/// that no rank is killed later because the memory ran out.
struct SegmentOptions {
  /// Where the memory comes from: a tmpfs that supports unnamed files.
  std::filesystem::path directory = "/dev/shm";
  /// Bytes of the ring of one ordered pair of ranks; 0 chooses 260 KiB, less where there are many ranks.
  Bytes ring_bytes = 0;
  /// Each rank's pool of chunks for messages in transit: does not grow with the number of its peers.
  Bytes pool_bytes = Bytes{4} << 20;
  Bytes chunk_bytes = Bytes{16} << 10;
  /// How long a rank waits for the others at set-up.
  Seconds patience = 30;
};

/// Gives every rank's `mine` to all ranks, one after another in `all` (ranks x mine.size() bytes): MPI_Allgather on a
/// node's communicator, for example.
using AllgatherFunction = std::function<void(std::span<const std::byte> mine, std::span<std::byte> all)>;

/// The memory that the ranks of a node share: a file of mode 0600 that never has a name, so that no other user can open
/// it and nothing is left of it once its last process is gone, whatever that process died of. Copies refer to the same
/// memory.
class ShmSegment {
 public:
  static constexpr std::int32_t kMostRanks = 512;

  /// For ranks that are then forked (or are threads). Throws UsageError for a number of ranks outside 1..kMostRanks and
  /// for invalid options, Error where the memory is not to be had, naming how much and where.
  [[nodiscard]] static ShmSegment create(std::int32_t ranks, const SegmentOptions& options = {});

  /// For unrelated processes of one user on one node: each calls it with the same name and number of ranks and with its
  /// own rank. The rendezvous is a socket in the abstract namespace, which no death leaves behind. Rank 0's options
  /// count. Throws Error where one does not come in time, or belongs to another user.
  [[nodiscard]] static ShmSegment rendezvous(std::string_view name, std::int32_t rank, std::int32_t ranks,
                                             const SegmentOptions& options = {});

  /// For processes that can already talk, like those of an MPI job: collective over all ranks. Throws Error on every
  /// rank where one of them is on another node or the memory is not to be had.
  [[nodiscard]] static ShmSegment agree(std::int32_t rank, std::int32_t ranks, const AllgatherFunction& allgather,
                                        const SegmentOptions& options = {});

  [[nodiscard]] std::int32_t ranks() const;
  [[nodiscard]] Bytes bytes() const;
  [[nodiscard]] shm::Mapping& mapping() const { return *mapping_; }

 private:
  explicit ShmSegment(std::shared_ptr<shm::Mapping> mapping) : mapping_(std::move(mapping)) {}

  std::shared_ptr<shm::Mapping> mapping_;
};

}  // namespace postage
