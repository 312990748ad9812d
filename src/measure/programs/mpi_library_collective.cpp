#include "measure/programs/mpi_library_collective.hpp"

#include <postage/measure/collective_data.hpp>

#include <algorithm>

namespace postage {
namespace {

/// As many blocks of the run's bytes as a buffer may have to hold.
std::size_t stages_of(Collective collective, int ranks) {
  switch (collective) {
    case Collective::kGather:
    case Collective::kScatter:
    case Collective::kAllgather:
    case Collective::kAlltoall:
      return static_cast<std::size_t>(ranks);
    default:
      return 1;
  }
}

/// Whole elements, dealt as evenly as in a schedule of reduce_scatter: larger blocks first.
std::vector<int> even_counts(int elements, int ranks) {
  std::vector<int> counts(static_cast<std::size_t>(ranks), elements / ranks);
  std::for_each(counts.begin(), counts.begin() + elements % ranks, [](int& count) { ++count; });
  return counts;
}

}  // namespace

LibraryCollective::LibraryCollective(MPI_Comm communicator, const CollectiveRun& run)
    : communicator_(communicator), run_(run) {
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &size_);
  type_ = element_bytes_for(run.collective, run.bytes) == sizeof(double) ? MPI_DOUBLE : MPI_BYTE;
  counts_ = even_counts(count(), size_);
  const std::size_t bytes = static_cast<std::size_t>(run.bytes) * stages_of(run.collective, size_);
  send_.resize(std::max<std::size_t>(bytes, 1));
  receive_.resize(std::max<std::size_t>(bytes, 1));
}

int LibraryCollective::count() const {
  return static_cast<int>(run_.bytes / (type_ == MPI_DOUBLE ? static_cast<Bytes>(sizeof(double)) : 1));
}

void LibraryCollective::operator()() {
  char* const send = send_.data();
  char* const receive = receive_.data();
  const int n = count();
  switch (run_.collective) {
    case Collective::kBarrier:
      MPI_Barrier(communicator_);
      break;
    case Collective::kBcast:
      MPI_Bcast(send, n, type_, run_.root, communicator_);
      break;
    case Collective::kReduce:
      MPI_Reduce(send, receive, n, type_, MPI_SUM, run_.root, communicator_);
      break;
    case Collective::kAllreduce:
      MPI_Allreduce(send, receive, n, type_, MPI_SUM, communicator_);
      break;
    case Collective::kGather:
      MPI_Gather(send, n, type_, receive, n, type_, run_.root, communicator_);
      break;
    case Collective::kScatter:
      MPI_Scatter(send, n, type_, receive, n, type_, run_.root, communicator_);
      break;
    case Collective::kAllgather:
      MPI_Allgather(send, n, type_, receive, n, type_, communicator_);
      break;
    case Collective::kAlltoall:
      MPI_Alltoall(send, n, type_, receive, n, type_, communicator_);
      break;
    case Collective::kReduceScatter:
      MPI_Reduce_scatter(send, receive, counts_.data(), type_, MPI_SUM, communicator_);
      break;
    case Collective::kScan:
      MPI_Scan(send, receive, n, type_, MPI_SUM, communicator_);
      break;
    case Collective::kExscan:
      MPI_Exscan(send, receive, n, type_, MPI_SUM, communicator_);
      break;
  }
}

}  // namespace postage
