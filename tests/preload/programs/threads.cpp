// Two threads of every rank, each with random collectives on its own communicators, at the same time.
//   threads SEED CALLS
#include "conformance/cases.hpp"
#include "conformance/mistakes.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace postage {
namespace {

/// A copy of the world and one with the ranks in reverse order.
std::vector<TestCommunicator> communicators() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<TestCommunicator> both{{"a copy of world"}, {"ranks in reverse order"}};
  MPI_Comm_dup(MPI_COMM_WORLD, &both[0].comm);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &both[1].comm);
  return both;
}

void work(RandomCases& cases, int calls, Mistakes& mistakes) {
  for (int i = 0; i < calls; ++i) {
    const Case test = cases.draw();
    if (!fails_in_library(test)) {
      TwoCalls two(test);
      two.make(Names::kProgram);
      two.make(Names::kProfiling);
      mistakes.note(text_of(test), two.find_mistake());
    }
  }
}

int run(std::uint64_t seed, int calls) {
  std::array<std::vector<TestCommunicator>, 2> own{communicators(), communicators()};
  std::array<RandomCases, 2> cases{RandomCases(own[0], seed), RandomCases(own[1], seed + 1)};
  std::array<Mistakes, 2> mistakes;
  std::thread second([&] { work(cases[1], calls, mistakes[1]); });
  work(cases[0], calls, mistakes[0]);
  second.join();
  const int first = mistakes[0].report(calls);
  const int other = mistakes[1].report(calls);
  for (auto& both : own) {
    for (TestCommunicator& communicator : both) {
      MPI_Comm_free(&communicator.comm);
    }
  }
  return first + other;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    std::fprintf(stderr, "this MPI lets only one thread call it\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const int status =
      postage::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1, argc > 2 ? std::atoi(argv[2]) : 100);
  MPI_Finalize();
  return status > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
