#include "preload/job.hpp"

#include "preload/communicator.hpp"
#include "preload/shim/library.hpp"

#include <algorithm>
#include <ctime>
#include <exception>
#include <vector>

namespace postage::preload {
namespace {

int lowest_rank_of_node(int rank) {
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int lowest = rank;
  PMPI_Bcast(&lowest, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  return lowest;
}

/// Nodes are numbered by their lowest ranks.
int number_of_node(int rank, int ranks) {
  const int own = lowest_rank_of_node(rank);
  std::vector<int> lowest(static_cast<std::size_t>(ranks));
  PMPI_Allgather(&own, 1, MPI_INT, lowest.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::sort(lowest.begin(), lowest.end());
  lowest.erase(std::unique(lowest.begin(), lowest.end()), lowest.end());
  return static_cast<int>(std::lower_bound(lowest.begin(), lowest.end(), own) - lowest.begin());
}

JobRank describe_rank() {
  JobRank self{.library = library_name()};
  PMPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &self.ranks);
  self.node = number_of_node(self.rank, self.ranks);
  return self;
}

std::vector<std::string> gather_text(const std::string& mine) {
  int rank = 0;
  int ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<int> sizes(static_cast<std::size_t>(ranks));
  const int own = static_cast<int>(mine.size());
  PMPI_Gather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0) {
    PMPI_Send(mine.data(), own, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return {};
  }
  std::vector<std::string> all{mine};
  for (int other = 1; other < ranks; ++other) {
    std::string text(static_cast<std::size_t>(sizes[static_cast<std::size_t>(other)]), ' ');
    PMPI_Recv(text.data(), static_cast<int>(text.size()), MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    all.push_back(std::move(text));
  }
  return all;
}

/// Statistics never end the program that they are about.
template <typename Work>
void without_exceptions(const Work& work) {
  try {
    work();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "postage: %s\n", failure.what());
  }
}

std::unique_ptr<Observer>& observer() {
  static std::unique_ptr<Observer> only;
  return only;
}

}  // namespace

Job& job() {
  static Job only;
  return only;
}

Seconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<Seconds>(time.tv_sec) + 1e-9 * static_cast<Seconds>(time.tv_nsec);
}

void start_job(int result) {
  if (result != MPI_SUCCESS || job().is_running) {
    return;
  }
  if (is_observer_wanted()) {
    without_exceptions([] { observer() = make_observer(describe_rank()); });
    job().observer = observer().get();
  }
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_communicator_state, &job().keyval, nullptr);
  job().is_running = true;
}

void finish_job() {
  if (!job().is_running.exchange(false)) {
    return;
  }
  forget_communicators();
  if (observer()) {
    job().observer = nullptr;
    without_exceptions([] { observer()->finish(gather_text); });
    observer().reset();
  }
}

}  // namespace postage::preload
