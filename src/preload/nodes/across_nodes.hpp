#pragma once

#include "preload/nodes/layout.hpp"
#include "preload/schedules/schedule_runner.hpp"

#include <postage/shm/direct_group.hpp>

#include <memory>

namespace postage::preload {

/// Collectives of ranks on several nodes: over shared memory within each node, by a schedule among the nodes' leaders.
/// Functions take what those of DirectGroup take, by the communicator's ranks.
class AcrossNodes {
 public:
  /// `leaders`: nullptr on ranks that are no leaders. `direct`: this rank's node.
  AcrossNodes(NodeLayout layout, std::int32_t rank, DirectGroup& direct, std::unique_ptr<ScheduleRunner> leaders);

  /// Whether an operation's order can be kept: each node combines ranks that follow one another.
  [[nodiscard]] bool keeps_order() const { return layout_.in_order; }

  void barrier();
  void bcast(std::span<std::byte> buffer, std::int32_t root);
  void reduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation,
              std::int32_t root);
  void allreduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation);
  void reduce_scatter(const std::byte* send, std::byte* receive, std::span<const Bytes> counts,
                      const ReduceOperation& operation);
  /// Only where the order is kept.
  void scan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation);
  void exscan(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation);
  void allgather(const std::byte* send, std::byte* receive, Bytes bytes);
  void allgatherv(const std::byte* send, Bytes bytes, std::byte* receive, std::span<const Bytes> counts,
                  std::span<const Bytes> offsets);
  void gather(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root);
  void scatter(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root);
  void alltoall(const std::byte* send, std::byte* receive, Bytes bytes);

 private:
  using Room = std::vector<std::byte>;

  [[nodiscard]] bool is_leader() const { return leaders_ != nullptr; }
  [[nodiscard]] bool is_leader(std::int32_t rank) const { return layout_.place(rank) == 0; }
  [[nodiscard]] std::vector<Bytes> bytes_by_node(Bytes block) const;
  [[nodiscard]] std::vector<Bytes> bytes_by_node(std::span<const Bytes> counts) const;
  /// Blocks of this node's ranks, one behind another, to its leader.
  [[nodiscard]] std::span<std::byte> gather_on_node(const std::byte* send, Bytes bytes, std::span<const Bytes> counts);
  /// What the ranks of all nodes before this one contribute; nothing on the first.
  [[nodiscard]] std::span<std::byte> combined_before(const std::byte* send, Bytes bytes,
                                                     const ReduceOperation& operation);
  /// From a leader's memory to a rank of its node, whose other ranks help.
  void hand_over(std::span<std::byte> data, std::int32_t from, std::int32_t to);
  static std::span<std::byte> take(Room& room, Bytes bytes);
  void sort_by_rank(const std::byte* by_node, std::byte* by_rank, Bytes bytes) const;
  void sort_by_node(const std::byte* by_rank, std::byte* by_node, Bytes bytes) const;
  void exchange_among_leaders(const std::byte* from_node, std::byte* to_node, Bytes bytes);

  NodeLayout layout_;
  std::int32_t rank_;
  std::int32_t node_;
  DirectGroup& direct_;
  std::unique_ptr<ScheduleRunner> leaders_;
  Room rooms_[3];
};

}  // namespace postage::preload
