#include "large_counts.hpp"

#include <mpi.h>

#include <functional>
#include <numeric>
#include <vector>

namespace postage {

#if MPI_VERSION >= 4

namespace {

using Ints = std::vector<int>;
using Collective = std::function<int(const Ints& send, Ints& receive)>;

struct Pair {
  const char* name;
  Collective ours;
  Collective theirs;
};

constexpr MPI_Count kLargeCount = 300;

std::vector<MPI_Count> counts(int ranks) {
  return std::vector<MPI_Count>(static_cast<std::size_t>(ranks), kLargeCount);
}

std::vector<MPI_Aint> displacements(int ranks) {
  std::vector<MPI_Aint> at(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[i] = static_cast<MPI_Aint>(i) * kLargeCount;
  }
  return at;
}

// Both names of a call, with the same arguments.
#define POSTAGE_PAIR(NAME, ...)                                                                 \
  Pair {                                                                                        \
#NAME, [=]([[maybe_unused]] const Ints& s, Ints& r) { return MPI_##NAME(__VA_ARGS__); }, [= \
    ]([[maybe_unused]] const Ints& s, Ints& r) { return PMPI_##NAME(__VA_ARGS__); }             \
  }

std::vector<Pair> pairs(MPI_Comm comm, int ranks) {
  const auto c = counts(ranks);
  const auto d = displacements(ranks);
  return {
      POSTAGE_PAIR(Bcast_c, r.data(), kLargeCount, MPI_INT, 0, comm),
      POSTAGE_PAIR(Reduce_c, s.data(), r.data(), kLargeCount, MPI_INT, MPI_SUM, 0, comm),
      POSTAGE_PAIR(Allreduce_c, s.data(), r.data(), kLargeCount, MPI_INT, MPI_MAX, comm),
      POSTAGE_PAIR(Gather_c, s.data(), kLargeCount, MPI_INT, r.data(), kLargeCount, MPI_INT, 0, comm),
      POSTAGE_PAIR(Gatherv_c, s.data(), kLargeCount, MPI_INT, r.data(), c.data(), d.data(), MPI_INT, 0, comm),
      POSTAGE_PAIR(Scatter_c, s.data(), kLargeCount, MPI_INT, r.data(), kLargeCount, MPI_INT, 0, comm),
      POSTAGE_PAIR(Scatterv_c, s.data(), c.data(), d.data(), MPI_INT, r.data(), kLargeCount, MPI_INT, 0, comm),
      POSTAGE_PAIR(Allgather_c, s.data(), kLargeCount, MPI_INT, r.data(), kLargeCount, MPI_INT, comm),
      POSTAGE_PAIR(Allgatherv_c, s.data(), kLargeCount, MPI_INT, r.data(), c.data(), d.data(), MPI_INT, comm),
      POSTAGE_PAIR(Alltoall_c, s.data(), kLargeCount, MPI_INT, r.data(), kLargeCount, MPI_INT, comm),
      POSTAGE_PAIR(Alltoallv_c, s.data(), c.data(), d.data(), MPI_INT, r.data(), c.data(), d.data(), MPI_INT, comm),
      POSTAGE_PAIR(Reduce_scatter_c, s.data(), r.data(), c.data(), MPI_INT, MPI_SUM, comm),
      POSTAGE_PAIR(Reduce_scatter_block_c, s.data(), r.data(), kLargeCount, MPI_INT, MPI_SUM, comm),
      POSTAGE_PAIR(Scan_c, s.data(), r.data(), kLargeCount, MPI_INT, MPI_SUM, comm),
      POSTAGE_PAIR(Exscan_c, s.data(), r.data(), kLargeCount, MPI_INT, MPI_SUM, comm),
  };
}

#undef POSTAGE_PAIR

}  // namespace

void check_large_counts(Mistakes& mistakes) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  Ints send(static_cast<std::size_t>(kLargeCount * ranks));
  std::iota(send.begin(), send.end(), 10'000 * rank);
  for (int i = 0; i < 5; ++i) {
    for (const Pair& pair : pairs(comm, ranks)) {
      Ints ours(send.size(), rank);
      Ints theirs(send.size(), rank);
      pair.ours(send, ours);
      pair.theirs(send, theirs);
      mistakes.note(std::string("MPI_") + pair.name,
                    ours == theirs ? std::nullopt : std::optional<std::string>("differs from the library's"));
    }
  }
  MPI_Comm_free(&comm);
}

#else

void check_large_counts(Mistakes& /*mistakes*/) {}

#endif

}  // namespace postage
