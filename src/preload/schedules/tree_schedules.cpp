#include "preload/schedules/tree_schedules.hpp"

#include "preload/files/schedule_files.hpp"

#include <postage/base/error.hpp>
#include <postage/base/memory_copy.hpp>

#include <algorithm>

namespace postage::preload {
namespace {

bool has_same_ranks_as_world(MPI_Comm communicator) {
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(communicator, &own);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int result = MPI_UNEQUAL;
  PMPI_Group_compare(own, world, &result);
  PMPI_Group_free(&own);
  PMPI_Group_free(&world);
  return result == MPI_IDENT;
}

template <typename Byte>
std::span<Byte> span_of(Byte* first, Bytes bytes) {
  return {first, static_cast<std::size_t>(bytes)};
}

bool are_equal(std::span<const Bytes> a, const std::vector<Bytes>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

Entry entry_of(const CollectiveTree& tree) {
  const bool is_irregular = !tree.request.block_bytes.empty();
  switch (tree.collective) {
    case Collective::kBcast:
      return Entry::kBcast;
    case Collective::kReduce:
      return Entry::kReduce;
    case Collective::kGather:
      return is_irregular ? Entry::kGatherv : Entry::kGather;
    case Collective::kScatter:
      return is_irregular ? Entry::kScatterv : Entry::kScatter;
    default:
      return is_irregular ? Entry::kAllgatherv : Entry::kAllgather;
  }
}

/// How scatterv's and gatherv's root tells the others what it knows: down the tree itself.
CollectiveTree announcing(const CollectiveTree& tree) {
  return {.collective = Collective::kBcast,
          .request = {.ranks = tree.request.ranks, .root = tree.request.root},
          .down = tree.collective == Collective::kGather ? tree.up : tree.down};
}

}  // namespace

std::unique_ptr<TreeSchedules> TreeSchedules::agree(MPI_Comm communicator, std::int32_t rank) {
  if (schedule_trees().empty() || !has_same_ranks_as_world(communicator)) {
    return nullptr;
  }
  MPI_Comm own = MPI_COMM_NULL;
  PMPI_Comm_split(communicator, 0, rank, &own);
  return std::make_unique<TreeSchedules>(own, rank);
}

TreeSchedules::TreeSchedules(MPI_Comm communicator, std::int32_t rank)
    : rank_(rank), runner_(communicator, schedule_of) {}

std::vector<Entry> TreeSchedules::entries() {
  std::vector<Entry> entries;
  for (const CollectiveTree& tree : schedule_trees()) {
    entries.push_back(entry_of(tree));
  }
  return entries;
}

const CollectiveTree* TreeSchedules::find(Collective collective, std::int32_t root, bool irregular) {
  for (const CollectiveTree& tree : schedule_trees()) {
    if (tree.collective == collective && tree.request.block_bytes.empty() != irregular &&
        (tree.request.root == root || collective == Collective::kAllgather)) {
      return &tree;
    }
  }
  return nullptr;
}

/// Where no file is for the collective, it is an announcement.
Schedule TreeSchedules::schedule_of(const ScheduleTask& task, Rank /*ranks*/) {
  const CollectiveTree* const found = find(task.collective, task.root, !task.block_bytes.empty());
  CollectiveTree tree;
  if (found != nullptr) {
    tree = *found;
  } else {
    const CollectiveTree* const gather = find(Collective::kGather, task.root, true);
    tree = announcing(gather != nullptr ? *gather : *find(Collective::kScatter, task.root, true));
  }
  tree.request.bytes = task.bytes;
  tree.request.element_bytes = task.operation.element_bytes;
  return schedule_along(tree);
}

bool TreeSchedules::has_blocks(Collective collective, std::int32_t root, std::span<const Bytes> counts) const {
  const CollectiveTree* const tree = find(collective, root, true);
  return tree != nullptr && are_equal(counts, tree->request.block_bytes);
}

bool TreeSchedules::agree_on_blocks(Collective collective, std::int32_t root, std::span<const Bytes> counts) {
  std::byte agreed{rank_ == root && has_blocks(collective, root, counts)};
  bcast({&agreed, 1}, root);
  return agreed != std::byte{0};
}

std::span<std::byte> TreeSchedules::take(Room& room, Bytes bytes) {
  room.resize(std::max(room.size(), static_cast<std::size_t>(bytes)));
  return {room.data(), static_cast<std::size_t>(bytes)};
}

std::span<const std::byte> TreeSchedules::sent(const std::byte* send, Bytes bytes, const std::byte* receive) {
  if (send != receive) {
    return {send, static_cast<std::size_t>(bytes)};
  }
  const std::span<std::byte> copy = take(sent_, bytes);
  move_memory(copy.data(), send, bytes);
  return copy;
}

void TreeSchedules::bcast(std::span<std::byte> buffer, std::int32_t root) {
  runner_.run(
      {.collective = Collective::kBcast, .root = root, .bytes = static_cast<Bytes>(buffer.size()), .receive = buffer});
}

void TreeSchedules::reduce(const std::byte* send, std::byte* receive, Bytes bytes, const ReduceOperation& operation,
                           std::int32_t root) {
  const bool is_root = rank_ == root;
  runner_.run({.collective = Collective::kReduce,
               .root = root,
               .bytes = bytes,
               .send = sent(send, bytes, is_root ? receive : nullptr),
               .receive = is_root ? span_of(receive, bytes) : std::span<std::byte>(),
               .operation = {operation.element_bytes, true, operation.combine, operation.context}});
}

void TreeSchedules::gather(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root) {
  const bool is_root = rank_ == root;
  runner_.run({.collective = Collective::kGather,
               .root = root,
               .bytes = bytes,
               .send = sent(send, bytes, is_root ? receive + rank_ * bytes : nullptr),
               .receive = is_root ? span_of(receive, bytes * runner_.ranks()) : std::span<std::byte>()});
}

void TreeSchedules::scatter(const std::byte* send, std::byte* receive, Bytes bytes, std::int32_t root) {
  const bool is_root = rank_ == root;
  runner_.run({.collective = Collective::kScatter,
               .root = root,
               .bytes = bytes,
               .send = is_root ? span_of(send, bytes * runner_.ranks()) : std::span<const std::byte>(),
               .receive = span_of(receive, bytes)});
}

void TreeSchedules::allgather(const std::byte* send, std::byte* receive, Bytes bytes) {
  runner_.run({.collective = Collective::kAllgather,
               .bytes = bytes,
               .send = sent(send, bytes, receive + rank_ * bytes),
               .receive = span_of(receive, bytes * runner_.ranks())});
}

}  // namespace postage::preload
