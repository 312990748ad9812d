// postage-bench-preload-MPI: each blocking collective through MPI_X, which the preload library may replace, and PMPI_X,
// the library's own, in turn; what scripts/preload_speedups starts. Prints a line a cell: collective, bytes,
// repetitions, and the pairs of seconds a call, rank 0's.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using Seconds = double;

/// Buffers for `ranks` blocks of `bytes`.
struct Data {
  int bytes = 0;
  int ranks = 1;
  std::vector<char> send;
  std::vector<char> receive;
  std::vector<int> counts;
  std::vector<int> offsets;
  std::vector<int> elements;
};

using Call = void (*)(Data&);
struct Collective {
  const char* name;
  Call replaced;
  Call library;
};

// Both entries of one collective, with the same arguments.
#define POSTAGE_CALLS(NAME, FUNCTION, ARGUMENTS)                           \
  {                                                                        \
    NAME, [](Data& d) { static_cast<void>(d), MPI_##FUNCTION ARGUMENTS; }, \
        [](Data& d) { static_cast<void>(d), PMPI_##FUNCTION ARGUMENTS; }   \
  }
// clang-format off
const Collective kCollectives[] = {
    POSTAGE_CALLS("barrier", Barrier, (MPI_COMM_WORLD)),
    POSTAGE_CALLS("bcast", Bcast, (d.send.data(), d.bytes, MPI_CHAR, 0, MPI_COMM_WORLD)),
    POSTAGE_CALLS("reduce", Reduce, (d.send.data(), d.receive.data(), d.bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD)),
    POSTAGE_CALLS("allreduce", Allreduce, (d.send.data(), d.receive.data(), d.bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)),
    POSTAGE_CALLS("gather", Gather, (d.send.data(), d.bytes, MPI_CHAR, d.receive.data(), d.bytes, MPI_CHAR, 0, MPI_COMM_WORLD)),
    POSTAGE_CALLS("gatherv", Gatherv, (d.send.data(), d.bytes, MPI_CHAR, d.receive.data(), d.counts.data(), d.offsets.data(), MPI_CHAR, 0, MPI_COMM_WORLD)),
    POSTAGE_CALLS("scatter", Scatter, (d.send.data(), d.bytes, MPI_CHAR, d.receive.data(), d.bytes, MPI_CHAR, 0, MPI_COMM_WORLD)),
    POSTAGE_CALLS("scatterv", Scatterv, (d.send.data(), d.counts.data(), d.offsets.data(), MPI_CHAR, d.receive.data(), d.bytes, MPI_CHAR, 0, MPI_COMM_WORLD)),
    POSTAGE_CALLS("allgather", Allgather, (d.send.data(), d.bytes, MPI_CHAR, d.receive.data(), d.bytes, MPI_CHAR, MPI_COMM_WORLD)),
    POSTAGE_CALLS("allgatherv", Allgatherv, (d.send.data(), d.bytes, MPI_CHAR, d.receive.data(), d.counts.data(), d.offsets.data(), MPI_CHAR, MPI_COMM_WORLD)),
    POSTAGE_CALLS("alltoall", Alltoall, (d.send.data(), d.bytes, MPI_CHAR, d.receive.data(), d.bytes, MPI_CHAR, MPI_COMM_WORLD)),
    POSTAGE_CALLS("alltoallv", Alltoallv, (d.send.data(), d.counts.data(), d.offsets.data(), MPI_CHAR, d.receive.data(), d.counts.data(), d.offsets.data(), MPI_CHAR, MPI_COMM_WORLD)),
    POSTAGE_CALLS("reduce_scatter", Reduce_scatter, (d.send.data(), d.receive.data(), d.elements.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)),
    POSTAGE_CALLS("reduce_scatter_block", Reduce_scatter_block, (d.send.data(), d.receive.data(), d.bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)),
    POSTAGE_CALLS("scan", Scan, (d.send.data(), d.receive.data(), d.bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)),
    POSTAGE_CALLS("exscan", Exscan, (d.send.data(), d.receive.data(), d.bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)),
};
// clang-format on

Seconds now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Data make_data(int bytes, int ranks) {
  Data data{.bytes = bytes, .ranks = ranks};
  const auto all = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks);
  data.send.assign(all, 0);
  data.receive.assign(all, 0);
  for (int rank = 0; rank < ranks; ++rank) {
    data.counts.push_back(bytes);
    data.offsets.push_back(rank * bytes);
    data.elements.push_back(bytes / 8);
  }
  return data;
}

/// Seconds a call, from a barrier to a barrier.
Seconds time_of(Call call, Data& data, int repetitions) {
  PMPI_Barrier(MPI_COMM_WORLD);
  const Seconds began = now();
  for (int i = 0; i < repetitions; ++i) {
    call(data);
  }
  PMPI_Barrier(MPI_COMM_WORLD);
  return (now() - began) / repetitions;
}

int repetitions_for(const Collective& collective, Data& data, Seconds slice) {
  const Seconds once = std::max(time_of(collective.library, data, 3), time_of(collective.replaced, data, 3));
  int repetitions = static_cast<int>(std::clamp(slice / once, 1.0, 5000.0));
  PMPI_Bcast(&repetitions, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return repetitions;
}

/// Of one size: in these the preload library's probes find out what is fastest.
constexpr int kCallsBefore = 64;

void measure(const Collective& collective, Data& data, int pairs, Seconds slice, bool prints) {
  for (int call = 0; call < kCallsBefore; ++call) {
    collective.replaced(data);
  }
  const int repetitions = repetitions_for(collective, data, slice);
  std::string line =
      std::string(collective.name) + " " + std::to_string(data.bytes) + " " + std::to_string(repetitions);
  for (int pair = 0; pair < pairs; ++pair) {
    Seconds replaced = 0;
    const bool first = pair % 2 == 0;
    replaced = first ? time_of(collective.replaced, data, repetitions) : 0;
    const Seconds library = time_of(collective.library, data, repetitions);
    replaced = first ? replaced : time_of(collective.replaced, data, repetitions);
    line.append(1, ' ').append(std::to_string(1e9 * replaced));
    line.append(1, ':').append(std::to_string(1e9 * library));
  }
  if (prints) {
    std::puts(line.c_str());
    std::fflush(stdout);
  }
}

}  // namespace

/// postage-bench-preload-MPI LEAST_BYTES MOST_BYTES PAIRS MILLISECONDS [COLLECTIVE...]
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int least = argc > 1 ? std::atoi(argv[1]) : 8;
  const int most = argc > 2 ? std::atoi(argv[2]) : 4 << 20;
  const int pairs = argc > 3 ? std::atoi(argv[3]) : 11;
  const Seconds slice = 1e-3 * (argc > 4 ? std::atof(argv[4]) : 2);
  for (int use = 0; use < 20; ++use) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const auto is_wanted = [&](const char* name) {
    return argc <= 5 ||
           std::any_of(argv + 5, argv + argc, [&](const char* word) { return std::strcmp(word, name) == 0; });
  };
  for (int bytes = least; bytes <= most; bytes *= 2) {
    Data data = make_data(bytes, ranks);
    for (const Collective& collective : kCollectives) {
      const bool once = std::strcmp(collective.name, "barrier") == 0 && bytes != least;
      if (is_wanted(collective.name) && !once) {
        measure(collective, data, pairs, slice, rank == 0);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
