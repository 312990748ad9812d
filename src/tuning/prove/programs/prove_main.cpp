// Calls collectives and prints which algorithms the tracer in this process saw:
//   postage-prove-MPI COLLECTIVE:RANKS:BYTES ...
// on the first RANKS ranks of MPI_COMM_WORLD. Rank 0 writes a line for each call to standard error: "postage-proof",
// the word as given and the trace, between tabs.
#include "tuning/prove/programs/trace.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Request {
  std::string collective;
  int ranks = 0;
  long bytes = 0;
};

Request parse(const std::string& word) {
  const auto first = word.find(':');
  const auto second = word.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    std::fprintf(stderr, "%s is not COLLECTIVE:RANKS:BYTES\n", word.c_str());
    std::exit(2);
  }
  return {word.substr(0, first), std::atoi(word.c_str() + first + 1), std::atol(word.c_str() + second + 1)};
}

/// Doubles where they fit, else characters.
struct Elements {
  MPI_Datatype type;
  int count;
};

Elements elements_of(long bytes) {
  return bytes % 8 == 0 ? Elements{MPI_DOUBLE, static_cast<int>(bytes / 8)}
                        : Elements{MPI_SIGNED_CHAR, static_cast<int>(bytes)};
}

void call(const Request& request, MPI_Comm comm) {
  const auto [type, count] = elements_of(request.bytes);
  const std::size_t room = static_cast<std::size_t>(request.bytes) * static_cast<std::size_t>(request.ranks) + 64;
  std::vector<char> in(room);
  std::vector<char> out(room);
  const std::string& name = request.collective;
  if (name == "barrier") {
    MPI_Barrier(comm);
  } else if (name == "bcast") {
    MPI_Bcast(in.data(), count, type, 0, comm);
  } else if (name == "reduce") {
    MPI_Reduce(in.data(), out.data(), count, type, MPI_SUM, 0, comm);
  } else if (name == "allreduce") {
    MPI_Allreduce(in.data(), out.data(), count, type, MPI_SUM, comm);
  } else if (name == "gather") {
    MPI_Gather(in.data(), count, type, out.data(), count, type, 0, comm);
  } else if (name == "scatter") {
    MPI_Scatter(in.data(), count, type, out.data(), count, type, 0, comm);
  } else if (name == "allgather") {
    MPI_Allgather(in.data(), count, type, out.data(), count, type, comm);
  } else if (name == "alltoall") {
    MPI_Alltoall(in.data(), count, type, out.data(), count, type, comm);
  } else if (name == "reduce_scatter") {
    std::vector<int> counts(static_cast<std::size_t>(request.ranks), count / request.ranks);
    for (int i = 0; i < count % request.ranks; ++i) {
      ++counts[static_cast<std::size_t>(i)];
    }
    MPI_Reduce_scatter(in.data(), out.data(), counts.data(), type, MPI_SUM, comm);
  } else if (name == "scan") {
    MPI_Scan(in.data(), out.data(), count, type, MPI_SUM, comm);
  } else if (name == "exscan") {
    MPI_Exscan(in.data(), out.data(), count, type, MPI_SUM, comm);
  } else {
    std::fprintf(stderr, "there is no collective %s\n", name.c_str());
    std::exit(2);
  }
}

/// Found at run time: preloaded beside Open MPI, linked in with MPICH. Without a tracer nothing is seen.
template <typename Function>
Function tracing(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

void prove(const std::string& word, int rank) {
  const Request request = parse(word);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < request.ranks ? 0 : MPI_UNDEFINED, rank, &comm);
  if (comm != MPI_COMM_NULL) {
    MPI_Barrier(comm);
    if (auto* const reset = tracing<void (*)()>("postage_trace_reset")) {
      reset();
    }
    call(request, comm);
    auto* const text = tracing<const char* (*)()>("postage_trace_text");
    if (rank == 0) {
      // At once, on a stream that no launcher keeps back: what came before an abort is known then.
      std::fprintf(stderr, "postage-proof\t%s\t%s\n", word.c_str(), text == nullptr ? "" : text());
    }
    MPI_Comm_free(&comm);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < argc; ++i) {
    prove(argv[i], rank);
  }
  MPI_Finalize();
  return 0;
}
