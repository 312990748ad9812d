// Thousands of communicators, made, used and freed: no memory, file, mapping or context may stay behind.
//   churn [TIMES]
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kWarmUp = 200;
/// Libraries keep some pages for later, but not one for each communicator.
constexpr long kMostGrowth = 4096;
constexpr int kUses = 8;

struct Held {
  long resident_kib = 0;
  long files = 0;
  long mappings = 0;
};

long entries_of(const char* folder) {
  return static_cast<long>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

long lines_of(const char* file) {
  std::ifstream stream(file);
  return std::count(std::istreambuf_iterator<char>(stream), {}, '\n');
}

Held held() {
  Held held{.files = entries_of("/proc/self/fd"), .mappings = lines_of("/proc/self/maps")};
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) {
      held.resident_kib = std::strtol(line.c_str() + 6, nullptr, 10);
    }
  }
  return held;
}

bool use(MPI_Comm comm, int times) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  bool right = true;
  for (int i = 0; i < times; ++i) {
    int sum = 0;
    const int own = rank + i;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
    right = right && sum == size * i + size * (size - 1) / 2;
    std::vector<double> block(2000, rank == i % size ? i : -1);
    MPI_Bcast(block.data(), 2000, MPI_DOUBLE, i % size, comm);
    right = right && block.back() == i;
  }
  return right;
}

/// A copy, now and then of a copy; one in four is freed after its first use, one in eight unused.
bool churn_once(int number) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm = MPI_COMM_NULL;
  if (number % 3 == 2) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
  } else {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  }
  bool right = use(comm, number % 8 == 7 ? 0 : number % 4 == 3 ? 1 : kUses);
  if (number % 5 == 4) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_free(&comm);
    right = use(copy, kUses) && right;
    comm = copy;
  }
  MPI_Comm_free(&comm);
  return right;
}

bool has_grown(const Held& before, const Held& after) {
  const bool grown = after.resident_kib - before.resident_kib > kMostGrowth || after.files > before.files ||
                     after.mappings > before.mappings + 16;
  if (grown) {
    std::fprintf(stderr, "leaked: %ld KiB, %ld files, %ld mappings\n", after.resident_kib - before.resident_kib,
                 after.files - before.files, after.mappings - before.mappings);
  }
  return grown;
}

int run(int times) {
  bool right = true;
  Held before;
  for (int i = 0; i < times; ++i) {
    before = i == kWarmUp ? held() : before;
    right = churn_once(i) && right;
  }
  const bool leaked = times > kWarmUp && has_grown(before, held());
  std::printf("%d communicators: results %s, %s\n", times, right ? "right" : "WRONG", leaked ? "LEAKED" : "no leak");
  return right && !leaked ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run(argc > 1 ? std::atoi(argv[1]) : 2000);
  MPI_Finalize();
  return status;
}
