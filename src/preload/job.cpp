#include "preload/job.hpp"

#include "preload/communicator.hpp"
#include "preload/files/decisions_file.hpp"
#include "preload/files/schedule_files.hpp"
#include "preload/settings/agreement.hpp"
#include "preload/shim/library.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <vector>

namespace postage::preload {
namespace {

/// What the ranks of this node find out about one another.
struct NodeView {
  int lowest_rank = 0;
  bool more_ranks_than_cores = false;
};

/// Whether the ranks may run on fewer hardware threads, all together, than there are ranks.
bool are_more_than_cores(MPI_Comm node) {
  cpu_set_t own;
  CPU_ZERO(&own);
  sched_getaffinity(0, sizeof own, &own);
  cpu_set_t all;
  CPU_ZERO(&all);
  PMPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, node);
  int ranks = 0;
  PMPI_Comm_size(node, &ranks);
  return std::max<std::int64_t>(CPU_COUNT(&all), settings().pretended_cores) < ranks;
}

NodeView look_at_node(int rank) {
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  NodeView view{.lowest_rank = rank, .more_ranks_than_cores = are_more_than_cores(node)};
  PMPI_Bcast(&view.lowest_rank, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  return view;
}

/// Nodes are numbered by their lowest ranks.
int number_of_node(int own, int ranks) {
  std::vector<int> lowest(static_cast<std::size_t>(ranks));
  PMPI_Allgather(&own, 1, MPI_INT, lowest.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::sort(lowest.begin(), lowest.end());
  lowest.erase(std::unique(lowest.begin(), lowest.end()), lowest.end());
  return static_cast<int>(std::lower_bound(lowest.begin(), lowest.end(), own) - lowest.begin());
}

JobRank describe_rank(int rank, const NodeView& node) {
  int crowded = node.more_ranks_than_cores ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  JobRank self{.rank = rank, .library = library_name(), .more_ranks_than_cores = crowded != 0};
  PMPI_Comm_size(MPI_COMM_WORLD, &self.ranks);
  self.node = number_of_node(node.lowest_rank, self.ranks);
  return self;
}

std::vector<std::string> gather_over(MPI_Comm communicator, int rank, int ranks, const std::string& mine) {
  std::vector<int> sizes(static_cast<std::size_t>(ranks));
  const int own = static_cast<int>(mine.size());
  PMPI_Gather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, communicator);
  if (rank != 0) {
    PMPI_Send(mine.data(), own, MPI_CHAR, 0, 0, communicator);
    return {};
  }
  std::vector<std::string> all{mine};
  for (int other = 1; other < ranks; ++other) {
    std::string text(static_cast<std::size_t>(sizes[static_cast<std::size_t>(other)]), ' ');
    PMPI_Recv(text.data(), static_cast<int>(text.size()), MPI_CHAR, other, 0, communicator, MPI_STATUS_IGNORE);
    all.push_back(std::move(text));
  }
  return all;
}

std::vector<std::string> gather_text(const std::string& mine) {
  int rank = 0;
  int ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // The program may have left messages on its own.
  MPI_Comm apart = MPI_COMM_NULL;
  PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &apart);
  std::vector<std::string> all = gather_over(apart, rank, ranks, mine);
  PMPI_Comm_free(&apart);
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

Job the_job;

Seconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<Seconds>(time.tv_sec) + 1e-9 * static_cast<Seconds>(time.tv_nsec);
}

void start_job(int result) {
  if (result != MPI_SUCCESS || job().is_running) {
    return;
  }
  agree_on_settings();
  if (settings().replacing == Replacing::kNothing) {
    return;
  }
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const NodeView node = look_at_node(rank);
  job().more_ranks_than_cores = node.more_ranks_than_cores;
  load_decisions();
  load_schedules();
  if (is_observer_wanted()) {
    without_exceptions([&] { observer() = make_observer(describe_rank(rank, node)); });
    job().observer = observer().get();
  }
  PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &job().self);
  PMPI_Comm_set_errhandler(job().self, MPI_ERRORS_RETURN);
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_communicator_state, &job().keyval, nullptr);
  job().is_running = true;
}

void finish_job() {
  if (!job().is_running.exchange(false)) {
    return;
  }
  forget_communicators();
  PMPI_Comm_free(&job().self);
  if (observer()) {
    job().observer = nullptr;
    without_exceptions([] { observer()->finish(gather_text); });
    observer().reset();
  }
}

}  // namespace postage::preload
