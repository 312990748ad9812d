#pragma once

#include <postage/base/units.hpp>
#include <postage/shm/segment.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace postage {

namespace shm {
class DirectState;
}

/// An operation of a reduction on arrays of elements.
struct ReduceOperation {
  Bytes element_bytes = 1;
  bool commutative = true;
  /// out = left op right, for `bytes` (a multiple of element_bytes). `out` is `right` or overlaps neither.
  void (*combine)(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                  Bytes bytes) = nullptr;
  const void* context = nullptr;
};

struct DirectOptions {
  /// Where the memory comes from: a tmpfs that supports unnamed files.
  std::filesystem::path directory = "/dev/shm";
  /// How long a rank waits for the others at set-up.
  Seconds patience = 20;
  /// Where it is so, a waiting rank gives its core away at once.
  bool more_ranks_than_cores = false;
  /// Data of up to so many bytes go through shared memory, in pieces, so that one rank writes while another reads; of
  /// longer ones the readers copy themselves (single copy).
  Bytes copied_bytes = Bytes{8} << 20;
  /// Called now and then while a rank waits: what else the process must keep going, as an MPI library's messages.
  void (*progress)(void* context) = nullptr;
  void* progress_context = nullptr;
};

/// Ranks of one node that carry out collectives in one another's memory: each posts its data, short ones copied into
/// shared memory and of long ones the address; whoever needs them reads them there, by the get + ACK protocol of
/// Hashmi et al. where they are long (process_vm_readv; the owner returns when all have read). What one rank of more
/// than two gathers in long blocks, more than 1 MiB in all, their owners write (process_vm_writev). What one of two
/// ranks has and the other wants in a bcast, gather, gatherv or exscan, from 64 or 96 KiB on, both move at once, one by
/// reading and one by writing; what one of them wants of a reduce or scan, both combine.
///
/// All ranks call the same collectives in the same order, each from one thread at a time. A collective returns when the
/// caller's buffers are its own again. `send` may equal the place in `receive` where the own block belongs (in place).
/// Of more than two ranks gatherv, scatterv and alltoallv need single copy (`has_single_copy`) for data that do not fit
/// into a slot, and reductions where an element for each rank does not. Bytes of a collective are the same on all ranks
/// except in v-variants. A peer's death leaves a waiting rank waiting.
class DirectGroup {
 public:
  /// Collective over `ranks` processes of one node that found out that they are so; `number` names the group and is
  /// the same on all, and different from that of every other group at the time. Throws Error.
  DirectGroup(std::int32_t rank, std::int32_t ranks, std::uint64_t number, const DirectOptions& options = {});
  ~DirectGroup();
  DirectGroup(const DirectGroup&) = delete;
  DirectGroup& operator=(const DirectGroup&) = delete;

  static constexpr Bytes kSlotBytes = Bytes{32} << 10;
  static constexpr Bytes kSlots = 4;  ///< of each rank

  /// Whether this rank can read every peer's memory. To be agreed by all, then set on all.
  [[nodiscard]] bool can_read_peers() const;
  void use_single_copy(bool possible);
  [[nodiscard]] bool has_single_copy() const;
  /// DirectOptions::copied_bytes of the collectives from now on; the same on all.
  void set_copied_bytes(Bytes bytes);

  void barrier();
  void bcast(std::span<std::byte> buffer, std::int32_t root);
  /// `receive` is only significant at the root.
  void reduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation,
              std::int32_t root);
  void allreduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation);
  void scan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation);
  void exscan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation);
  /// counts[r]: bytes that rank r keeps, in the ranks' order; the same on all.
  void reduce_scatter(const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                      const ReduceOperation& operation);

  /// Blocks of `bytes`, one a rank.
  void allgather(const std::byte* send, std::byte* receive, Bytes bytes);
  void gather(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root);
  void scatter(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root);
  void alltoall(const std::byte* send, std::byte* receive, Bytes bytes);

  /// counts[r] bytes of rank r belong at receive + offsets[r]. Of gatherv only the root knows them, of scatterv too.
  void allgatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                  std::span<const Bytes> offsets);
  void gatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
               std::span<const Bytes> offsets, std::int32_t root);
  void scatterv(const std::byte* send, std::span<const Bytes> counts, std::span<const Bytes> offsets,
                std::byte* receive, Bytes bytes, std::int32_t root);
  void alltoallv(const std::byte* send, std::span<const Bytes> send_counts, std::span<const Bytes> send_offsets,
                 std::byte* receive, std::span<const Bytes> receive_counts, std::span<const Bytes> receive_offsets);

 private:
  std::unique_ptr<shm::DirectState> state_;
};

}  // namespace postage
