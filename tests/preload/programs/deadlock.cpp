// A legal program whose messages only make progress inside a collective: a rank waits in one while its partner waits
// for a message of it that needs both. A library that replaces collectives and does not progress MPI never ends here.
//
//   0: Isend(large, to 1), collective, Wait        1: Recv(from 0), collective
//   0: Irecv(from 1), collective, Wait             1: Ssend(large, to 0), collective
//   deadlock [TIMES [COUNT]]      so often each collective, of blocks of so many integers
#include "conformance/calls.hpp"

#include <cstdio>
#include <cstdlib>

namespace postage {
namespace {

constexpr int kLarge = 1 << 20;
/// By default more often than a communicator is used before it is taken over.
constexpr int kTimes = 12;
constexpr int kCount = 1000;

struct Program {
  int times = kTimes;
  int count = kCount;
  int rank = 0;
  int ranks = 1;
  std::vector<char> message = std::vector<char>(kLarge);
  std::vector<int> send{};
  std::vector<int> receive{};

  [[nodiscard]] Part blocks() const {
    Part part{.type = MPI_INT};
    for (int i = 0; i < ranks; ++i) {
      part.counts.push_back(count);
      part.displacements.push_back(i * count);
    }
    return part;
  }

  void collective(Call call, int root) {
    invoke(Names::kProgram, call,
           {.send = send.data(),
            .receive = receive.data(),
            .sent = blocks(),
            .received = blocks(),
            .op = MPI_SUM,
            .root = root,
            .comm = MPI_COMM_WORLD});
  }

  /// `first` starts a request and enters the collective; `second` completes the message before it does.
  bool sends_inside(Call call, int first, int second, char value) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == first) {
      message.assign(kLarge, value);
      MPI_Isend(message.data(), kLarge, MPI_CHAR, second, 1, MPI_COMM_WORLD, &request);
    } else if (rank == second) {
      MPI_Recv(message.data(), kLarge, MPI_CHAR, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    collective(call, second);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return rank != second || (message.front() == value && message.back() == value);
  }

  bool receives_inside(Call call, int first, int second, char value) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == first) {
      MPI_Irecv(message.data(), kLarge, MPI_CHAR, second, 2, MPI_COMM_WORLD, &request);
    } else if (rank == second) {
      message.assign(kLarge, value);
      MPI_Ssend(message.data(), kLarge, MPI_CHAR, first, 2, MPI_COMM_WORLD);
    }
    collective(call, second);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return rank != first || (message.front() == value && message.back() == value);
  }

  bool all_end(Call call) {
    bool right = true;
    for (int time = 0; time < times; ++time) {
      const char value = static_cast<char>('a' + time);
      const int first = time % ranks;
      const int second = (first + 1) % ranks;
      right = sends_inside(call, first, second, value) && right;
      right = receives_inside(call, first, second, value) && right;
    }
    return right;
  }
};

/// Those in which the first rank waits for the second, whose call's root it is.
constexpr std::array kWaiting{Call::kBarrier,   Call::kBcast,         Call::kScatter,           Call::kScatterv,
                              Call::kAllreduce, Call::kAllgather,     Call::kAllgatherv,        Call::kAlltoall,
                              Call::kAlltoallv, Call::kReduceScatter, Call::kReduceScatterBlock};

int run(int times, int count) {
  Program program{.times = times, .count = count};
  MPI_Comm_rank(MPI_COMM_WORLD, &program.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &program.ranks);
  program.send.assign(static_cast<std::size_t>(count * program.ranks), 1);
  program.receive.assign(program.send.size(), 0);
  int wrong = 0;
  for (const Call call : kWaiting) {
    wrong += program.all_end(call) ? 0 : 1;
  }
  int all_wrong = 0;
  PMPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (program.rank == 0) {
    std::printf("all messages have arrived, %d of them wrong\n", all_wrong);
  }
  return wrong;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int wrong =
      postage::run(argc > 1 ? std::atoi(argv[1]) : postage::kTimes, argc > 2 ? std::atoi(argv[2]) : postage::kCount);
  MPI_Finalize();
  return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
