#pragma once

#include "preload/schedules/schedule_runner.hpp"

#include <postage/preload/entries.hpp>
#include <postage/schedule/tree_file.hpp>
#include <postage/shm/direct_group.hpp>

#include <mpi.h>

#include <memory>
#include <span>
#include <vector>

namespace postage::preload {

/// The collectives of a communicator that go along the trees of schedule files. Functions take what those of
/// DirectGroup take; they are called only where a tree `serves` the call, and by all ranks.
class TreeSchedules {
 public:
  /// Collective over the communicator, whose ranks are to be those of MPI_COMM_WORLD: nullptr, on all ranks, where they
  /// are others, or where there are no schedules.
  [[nodiscard]] static std::unique_ptr<TreeSchedules> agree(MPI_Comm communicator, std::int32_t rank);

  TreeSchedules(MPI_Comm communicator, std::int32_t rank);

  /// Those calls for which there may be a tree.
  [[nodiscard]] static std::vector<Entry> entries();
  /// Of equal blocks, or a vector, of any size. `root` does not matter to allgather.
  [[nodiscard]] bool serves(Collective collective, std::int32_t root) const {
    return find(collective, root, false) != nullptr;
  }
  /// Of blocks of their own sizes. The sizes themselves are still to be compared (has_blocks, agree_on_blocks).
  [[nodiscard]] bool serves_irregular(Collective collective, std::int32_t root) const {
    return find(collective, root, true) != nullptr;
  }
  /// Whether the blocks are those of the file, of allgatherv, whose ranks know them all.
  [[nodiscard]] bool has_blocks(Collective collective, std::int32_t root, std::span<const Bytes> counts) const;
  /// The same for scatterv and gatherv: the root, who alone knows them, tells the others along the tree. `counts` is
  /// only looked at there.
  [[nodiscard]] bool agree_on_blocks(Collective collective, std::int32_t root, std::span<const Bytes> counts);

  void bcast(std::span<std::byte> buffer, std::int32_t root);
  void reduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation,
              std::int32_t root);
  void gather(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root);
  void scatter(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root);
  void allgather(const std::byte* send, std::byte* receive, Bytes bytes);

  /// Blocks of the file's sizes, which are `counts` at the ranks that have them; `bytes` is this rank's.
  void gatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
               std::span<const Bytes> offsets, std::int32_t root);
  void allgatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                  std::span<const Bytes> offsets);
  void scatterv(const std::byte* send, std::span<const Bytes> counts, std::span<const Bytes> offsets,
                std::byte* receive, Bytes bytes, std::int32_t root);

 private:
  using Room = std::vector<std::byte>;

  [[nodiscard]] static const CollectiveTree* find(Collective collective, std::int32_t root, bool irregular);
  [[nodiscard]] static Schedule schedule_of(const ScheduleTask& task, Rank ranks);
  [[nodiscard]] static std::span<std::byte> take(Room& room, Bytes bytes);
  /// What is sent; a copy where it lies where it is received, too.
  [[nodiscard]] std::span<const std::byte> sent(const std::byte* send, Bytes bytes, const std::byte* receive);
  /// This rank's, as the file says it; what a program that gives another size sends or receives is cut.
  [[nodiscard]] Bytes own_block(Collective collective, std::int32_t root) const;
  [[nodiscard]] std::span<const std::byte> sent_block(Collective collective, std::int32_t root, const std::byte* send,
                                                      Bytes bytes);
  /// Runs it with the blocks that the file says.
  void run_irregular(Collective collective, std::int32_t root, std::span<const std::byte> send,
                     std::span<std::byte> receive);

  std::int32_t rank_;
  ScheduleRunner runner_;
  Room sent_;
  Room received_;
};

}  // namespace postage::preload
