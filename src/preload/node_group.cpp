#include "preload/node_group.hpp"

#include "preload/job.hpp"

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

/// Measured on two cores: pieces through slots beat single copy up to several MiB, as long as all ranks run at a time.
constexpr Bytes kCopied = Bytes{8} << 20;
constexpr Bytes kCopiedByMany = Bytes{128} << 10;

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

/// What a rank tells the others. Ranks are on one node where the first three are equal: abstract sockets reach as far
/// as a network namespace, process numbers as far as one of processes.
struct Introduction {
  std::array<char, 40> boot{};
  std::uint64_t network = 0;
  std::uint64_t processes = 0;
  std::uint64_t number = 0;

  [[nodiscard]] bool shares_node_with(const Introduction& other) const {
    return boot == other.boot && network == other.network && processes == other.processes;
  }
};

Introduction introduce() {
  Introduction self;
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  boot.get(self.boot.data(), static_cast<std::streamsize>(self.boot.size()));
  self.network = inode_of("/proc/self/ns/net");
  self.processes = inode_of("/proc/self/ns/pid");
  if (getrandom(&self.number, sizeof self.number, 0) != sizeof self.number) {
    self.number = static_cast<std::uint64_t>(getpid()) << 32 ^ static_cast<std::uint64_t>(1e9 * now());
  }
  return self;
}

/// The number of the group, or nothing.
bool find_number(MPI_Comm communicator, std::int32_t ranks, std::uint64_t& number) {
  const Introduction self = introduce();
  std::vector<Introduction> all(static_cast<std::size_t>(ranks));
  constexpr int kBytes = sizeof(Introduction);
  if (PMPI_Allgather(&self, kBytes, MPI_BYTE, all.data(), kBytes, MPI_BYTE, communicator) != MPI_SUCCESS) {
    return false;
  }
  number = all.front().number;
  return std::all_of(all.begin(), all.end(), [&](const Introduction& other) { return other.shares_node_with(self); });
}

std::unique_ptr<NodeGroup> try_to_join(std::int32_t rank, std::int32_t ranks, std::uint64_t number) {
  try {
    return std::make_unique<NodeGroup>(rank, ranks, number);
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

NodeGroup::NodeGroup(std::int32_t rank, std::int32_t ranks, std::uint64_t number)
    : direct_(rank, ranks, number,
              {.more_ranks_than_cores = job().more_ranks_than_cores,
               .copied_bytes = job().more_ranks_than_cores ? kCopiedByMany : kCopied,
               .progress = Progress::advance,
               .progress_context = &progress_}) {}

std::unique_ptr<NodeGroup> NodeGroup::agree(MPI_Comm communicator, std::int32_t rank, std::int32_t ranks) {
  std::uint64_t number = 0;
  if (!find_number(communicator, ranks, number)) {
    return nullptr;
  }
  std::unique_ptr<NodeGroup> group = try_to_join(rank, ranks, number);
  const std::array<int, 2> mine{group ? 1 : 0, group && group->direct().can_read_peers() ? 1 : 0};
  std::array<int, 2> all{};
  if (PMPI_Allreduce(mine.data(), all.data(), 2, MPI_INT, MPI_MIN, communicator) != MPI_SUCCESS || all[0] == 0) {
    return nullptr;
  }
  group->direct().use_single_copy(all[1] != 0);
  return group;
}

}  // namespace postage::preload
