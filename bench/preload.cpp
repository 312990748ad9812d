// What a call costs that the preload library intercepts and passes through: MPI_X, which the library wraps, beside
// PMPI_X, in turn, on a communicator of one rank, where nothing is ever replaced. The program starts itself again with
// the library preloaded.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace {

constexpr int kCalls = 2000;
constexpr int kRounds = 400;

struct Arguments {
  std::array<double, 8> send{};
  std::array<double, 8> receive{};
  int count = 4;
  int offset = 0;
  MPI_Datatype strided = MPI_DATATYPE_NULL;
};

using Call = void (*)(Arguments&);
struct Row {
  const char* name;
  Call wrapped;
  Call library;
};

#define POSTAGE_ROW(NAME, FUNCTION, ARGUMENTS)                                  \
  {                                                                             \
    NAME, [](Arguments& a) { static_cast<void>(a), MPI_##FUNCTION ARGUMENTS; }, \
        [](Arguments& a) { static_cast<void>(a), PMPI_##FUNCTION ARGUMENTS; }   \
  }
// clang-format off
const Row kRows[] = {
    POSTAGE_ROW("barrier", Barrier, (MPI_COMM_SELF)),
    POSTAGE_ROW("bcast", Bcast, (a.send.data(), a.count, MPI_DOUBLE, 0, MPI_COMM_SELF)),
    POSTAGE_ROW("bcast of a derived datatype", Bcast, (a.send.data(), 1, a.strided, 0, MPI_COMM_SELF)),
    POSTAGE_ROW("reduce", Reduce, (a.send.data(), a.receive.data(), a.count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_SELF)),
    POSTAGE_ROW("gather", Gather, (a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE, 0, MPI_COMM_SELF)),
    POSTAGE_ROW("gatherv", Gatherv, (a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), &a.count, &a.offset, MPI_DOUBLE, 0, MPI_COMM_SELF)),
    POSTAGE_ROW("alltoall", Alltoall, (a.send.data(), a.count, MPI_DOUBLE, a.receive.data(), a.count, MPI_DOUBLE, MPI_COMM_SELF)),
};
// clang-format on

double nanoseconds_of(Call call, Arguments& arguments) {
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) {
    call(arguments);
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count() / kCalls;
}

/// The least of many times is what the processor takes when nothing else wants it.
void measure(const Row& row, Arguments& arguments) {
  double wrapped = std::numeric_limits<double>::infinity();
  double library = wrapped;
  for (int round = 0; round < kRounds; ++round) {
    wrapped = std::min(wrapped, nanoseconds_of(row.wrapped, arguments));
    library = std::min(library, nanoseconds_of(row.library, arguments));
  }
  std::printf("%-30s %8.1f ns %8.1f ns %8.1f ns\n", row.name, library, wrapped, wrapped - library);
}

void start_again_preloaded(char** words) {
  if (std::getenv("LD_PRELOAD") == nullptr) {
    setenv("LD_PRELOAD", POSTAGE_PRELOAD_LIBRARY, 1);
    execv("/proc/self/exe", words);
    std::perror("cannot start again");
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  start_again_preloaded(argv);
  MPI_Init(&argc, &argv);
  Arguments arguments;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &arguments.strided);
  MPI_Type_commit(&arguments.strided);
  std::printf("%-30s %11s %11s %11s\n", "passed through", "library's", "wrapped", "difference");
  for (const Row& row : kRows) {
    measure(row, arguments);
  }
  MPI_Type_free(&arguments.strided);
  MPI_Finalize();
  return 0;
}
