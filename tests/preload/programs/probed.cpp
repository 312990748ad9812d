// Each collective again and again with blocks of one size, so that the preload library's probes find out what carries
// it out; each call against the MPI library's own. On the world, on a copy of it, and on its ranks in reverse order.
//   probed COUNT TIMES [PRETENDED...]      integers a block; for each rank the times that its calls are to take
#include "conformance/case.hpp"
#include "conformance/mistakes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace postage {
namespace {

constexpr int kUsesBeforeGroup = 8;

std::vector<TestCommunicator> communicators(int rank) {
  std::vector<TestCommunicator> all{{"world", MPI_COMM_WORLD}, {"a copy of world"}, {"ranks in reverse order"}};
  MPI_Comm_dup(MPI_COMM_WORLD, &all[1].comm);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &all[2].comm);
  return all;
}

/// Every fourth call in place, where there is such.
std::vector<Case> cases(const TestCommunicator& communicator, const TestReduction& sum, int count, int times) {
  std::vector<Case> all;
  const auto add = [&](Call call, const std::optional<TestOperation>& operation) {
    for (int time = 0; time < times; ++time) {
      all.push_back({.call = call,
                     .communicator = &communicator,
                     .type = sum.type,
                     .operation = operation,
                     .count = count,
                     .root = has_root(call) ? time % communicator.size() : 0,
                     .in_place = time % 4 == 3 && call != Call::kBcast,
                     .seed = static_cast<std::uint64_t>(time)});
    }
  };
  for (const Call call : kMovingCalls) {
    add(call, std::nullopt);
  }
  for (const Call call : kReducingCalls) {
    add(call, sum.operation);
  }
  return all;
}

/// Integers, as which other datatypes may be received, too.
TestReduction sum_of_integers() {
  const std::vector<TestReduction> all = reductions();
  TestReduction sum = *std::find_if(all.begin(), all.end(), [](const TestReduction& reduction) {
    return reduction.type.type == MPI_INT && reduction.operation.op == MPI_SUM;
  });
  sum.type.basic = MPI_INT;
  sum.type.basics = 1;
  return sum;
}

int check(const TestCommunicator& communicator, const TestReduction& sum, int count, int times, Mistakes& mistakes) {
  for (int use = 0; use < kUsesBeforeGroup; ++use) {
    MPI_Barrier(communicator.comm);
  }
  int checked = 0;
  for (const Case& test : cases(communicator, sum, count, times)) {
    if (!fails_in_library(test)) {
      TwoCalls two(test);
      two.make(Names::kProgram);
      two.make(Names::kProfiling);
      mistakes.note(text_of(test), two.find_mistake());
      ++checked;
    }
  }
  return checked;
}

int run(int argc, char** argv) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 3 + rank) {
    setenv("POSTAGE_PRETENDED_TIMES", argv[3 + rank], 1);
  }
  const TestReduction sum = sum_of_integers();
  Mistakes mistakes;
  int checked = 0;
  for (const TestCommunicator& communicator : communicators(rank)) {
    checked += check(communicator, sum, std::atoi(argv[1]), std::atoi(argv[2]), mistakes);
  }
  return mistakes.report(checked);
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 3) {
    std::fprintf(stderr, "probed COUNT TIMES [PRETENDED...]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const int status = postage::run(argc, argv);
  MPI_Finalize();
  return status > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
