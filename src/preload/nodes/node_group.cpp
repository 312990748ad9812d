#include "preload/nodes/node_group.hpp"

#include "preload/decision.hpp"
#include "preload/job.hpp"
#include "preload/nodes/leader_schedules.hpp"
#include "preload/probes/candidate.hpp"
#include "preload/settings/agreement.hpp"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <vector>

namespace postage::preload {
namespace {

int succeed(void*) {
  return MPI_SUCCESS;
}
int fill_nothing(void*, MPI_Status*) {
  return MPI_SUCCESS;
}
int cancel_nothing(void*, int) {
  return MPI_SUCCESS;
}

std::uint64_t inode_of(const char* path) {
  struct stat status {};
  return stat(path, &status) == 0 ? status.st_ino : 0;
}

/// What a rank tells the others. Ranks are on one node where all but the last two are equal: abstract sockets reach as
/// far as a network namespace, process numbers as far as one of processes.
struct Introduction {
  std::array<char, 40> boot{};
  std::uint64_t network = 0;
  std::uint64_t processes = 0;
  std::uint64_t pretended = 0;
  std::uint64_t number = 0;
  std::uint64_t more_ranks_than_cores = 0;

  [[nodiscard]] bool shares_node_with(const Introduction& other) const {
    return boot == other.boot && network == other.network && processes == other.processes &&
           pretended == other.pretended;
  }
};

std::uint64_t pretended_node() {
  const std::vector<std::int64_t>& nodes = settings().pretended_nodes;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto index = static_cast<std::size_t>(rank);
  return index < nodes.size() ? static_cast<std::uint64_t>(nodes[index]) : 0;
}

Introduction introduce() {
  Introduction self;
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  boot.get(self.boot.data(), static_cast<std::streamsize>(self.boot.size()));
  self.network = inode_of("/proc/self/ns/net");
  self.processes = inode_of("/proc/self/ns/pid");
  self.pretended = pretended_node();
  self.more_ranks_than_cores = job().more_ranks_than_cores ? 1 : 0;
  if (getrandom(&self.number, sizeof self.number, 0) != sizeof self.number) {
    self.number = static_cast<std::uint64_t>(getpid()) << 32 ^ static_cast<std::uint64_t>(1e9 * now());
  }
  return self;
}

/// Empty where the ranks could not tell one another.
std::vector<Introduction> introduce_all(MPI_Comm communicator, std::int32_t ranks) {
  const Introduction self = introduce();
  std::vector<Introduction> all(static_cast<std::size_t>(ranks));
  constexpr int kBytes = sizeof(Introduction);
  if (PMPI_Allgather(&self, kBytes, MPI_BYTE, all.data(), kBytes, MPI_BYTE, communicator) != MPI_SUCCESS) {
    all.clear();
  }
  return all;
}

/// Each rank's node by the first rank on it.
NodeLayout layout_of(const std::vector<Introduction>& all) {
  std::vector<std::int32_t> firsts;
  for (const Introduction& one : all) {
    const auto first =
        std::find_if(all.begin(), all.end(), [&](const Introduction& other) { return other.shares_node_with(one); });
    firsts.push_back(static_cast<std::int32_t>(first - all.begin()));
  }
  return NodeLayout(firsts);
}

bool is_any_crowded(const std::vector<Introduction>& all) {
  return std::any_of(all.begin(), all.end(), [](const Introduction& one) { return one.more_ranks_than_cores != 0; });
}

std::unique_ptr<NodeGroup> try_to_join(std::int32_t place, std::int32_t ranks, std::uint64_t number) {
  try {
    return std::make_unique<NodeGroup>(place, ranks, number);
  } catch (const std::exception&) {
    return nullptr;  // the library's own collectives stay
  }
}

}  // namespace

Progress::Progress() {
  PMPI_Grequest_start(fill_nothing, succeed, cancel_nothing, nullptr, &request_);
}

Progress::~Progress() {
  PMPI_Grequest_complete(request_);
  PMPI_Wait(&request_, MPI_STATUS_IGNORE);
}

void Progress::advance(void* self) {
  int flag = 0;
  PMPI_Test(&static_cast<Progress*>(self)->request_, &flag, MPI_STATUS_IGNORE);
}

NodeGroup::NodeGroup(std::int32_t place, std::int32_t ranks_on_node, std::uint64_t number)
    : direct_(place, ranks_on_node, number,
              {.more_ranks_than_cores = job().more_ranks_than_cores,
               .copied_bytes = DirectGroup::kSlotBytes,
               .progress = Progress::advance,
               .progress_context = &progress_}) {}

void NodeGroup::reach_other_nodes(MPI_Comm communicator, std::int32_t rank, const NodeLayout& layout) {
  const bool is_leader = layout.place(rank) == 0;
  MPI_Comm leaders = MPI_COMM_NULL;
  PMPI_Comm_split(communicator, is_leader ? 0 : MPI_UNDEFINED, rank, &leaders);
  across_ = std::make_unique<AcrossNodes>(
      layout, rank, direct_,
      is_leader ? std::make_unique<ScheduleRunner>(leaders, leader_schedules(layout.ranks(), layout.nodes()))
                : nullptr);
}

std::unique_ptr<NodeGroup> NodeGroup::agree(MPI_Comm communicator, std::int32_t rank, std::int32_t ranks) {
  const std::vector<Introduction> all = introduce_all(communicator, ranks);
  const NodeLayout layout = layout_of(all);
  CommunicatorShape shape{.ranks = ranks, .nodes = layout.nodes(), .more_ranks_than_cores = is_any_crowded(all)};
  if (all.empty() || !replaces_anything(shape)) {
    return nullptr;
  }
  const std::vector<std::int32_t>& here = layout.on(layout.node(rank));
  const std::uint64_t number = all[static_cast<std::size_t>(here.front())].number;
  std::unique_ptr<NodeGroup> group = try_to_join(layout.place(rank), static_cast<std::int32_t>(here.size()), number);
  const std::array<int, 2> mine{group ? 1 : 0, group && group->direct().can_read_peers() ? 1 : 0};
  std::array<int, 2> agreed{};
  if (PMPI_Allreduce(mine.data(), agreed.data(), 2, MPI_INT, MPI_MIN, communicator) != MPI_SUCCESS || agreed[0] == 0) {
    return nullptr;
  }
  shape.single_copy = agreed[1] != 0;
  group->direct().use_single_copy(shape.single_copy);
  group->shape_ = shape;
  if (layout.nodes() > 1) {
    group->reach_other_nodes(communicator, rank, layout);
  }
  return group;
}

}  // namespace postage::preload
