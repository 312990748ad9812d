#include "intercommunicators.hpp"

#include "calls.hpp"

#include <array>
#include <numeric>

namespace postage {
namespace {

constexpr int kCount = 100;

MPI_Comm between_odd_and_even(int rank) {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
  MPI_Comm_free(&own);
  return between;
}

Part blocks(int blocks) {
  return {std::vector<int>(static_cast<std::size_t>(blocks), kCount),
          [blocks] {
            std::vector<int> at(static_cast<std::size_t>(blocks));
            for (int i = 0; i < blocks; ++i) {
              at[static_cast<std::size_t>(i)] = i * kCount;
            }
            return at;
          }(),
          MPI_INT};
}

std::vector<int> received_by(Names names, Call call, MPI_Comm between, int rank) {
  int others = 0;
  MPI_Comm_remote_size(between, &others);
  std::vector<int> send(static_cast<std::size_t>(kCount * others));
  std::iota(send.begin(), send.end(), 1000 * rank);
  std::vector<int> receive(send.size(), -1);
  // The first even rank is the root; the others of its group take no part.
  const int root = rank % 2 == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  if (call == Call::kBcast && root == MPI_ROOT) {
    receive = send;
  }
  invoke(names, call,
         {.send = send.data(),
          .receive = receive.data(),
          .sent = blocks(others),
          .received = blocks(others),
          .op = MPI_SUM,
          .root = root,
          .comm = between});
  return receive;
}

}  // namespace

void check_intercommunicators(Mistakes& mistakes) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    return;
  }
  MPI_Comm between = between_odd_and_even(rank);
  for (const Call call :
       {Call::kBarrier, Call::kBcast, Call::kReduce, Call::kAllreduce, Call::kGather, Call::kGatherv, Call::kScatter,
        Call::kScatterv, Call::kAllgather, Call::kAllgatherv, Call::kAlltoall, Call::kAlltoallv}) {
    for (int i = 0; i < 5; ++i) {
      const bool same =
          received_by(Names::kProgram, call, between, rank) == received_by(Names::kProfiling, call, between, rank);
      mistakes.note(std::string(name_of(call)) + " between odd and even ranks",
                    same ? std::nullopt : std::optional<std::string>("differs from the library's"));
    }
  }
  MPI_Comm_free(&between);
}

}  // namespace postage
