#pragma once

#include <mpi.h>

#include <array>
#include <string_view>
#include <vector>

namespace postage {

/// The collectives that a preloaded library may replace.
enum class Call {
  kBarrier,
  kBcast,
  kReduce,
  kAllreduce,
  kGather,
  kGatherv,
  kScatter,
  kScatterv,
  kAllgather,
  kAllgatherv,
  kAlltoall,
  kAlltoallv,
  kReduceScatter,
  kReduceScatterBlock,
  kScan,
  kExscan,
};

inline constexpr std::array kMovingCalls{Call::kBcast,      Call::kGather,   Call::kGatherv,
                                         Call::kScatter,    Call::kScatterv, Call::kAllgather,
                                         Call::kAllgatherv, Call::kAlltoall, Call::kAlltoallv};
inline constexpr std::array kReducingCalls{
    Call::kReduce, Call::kAllreduce, Call::kReduceScatter, Call::kReduceScatterBlock, Call::kScan, Call::kExscan};

/// "MPI_Bcast", ...
[[nodiscard]] std::string_view name_of(Call call);

[[nodiscard]] bool has_root(Call call);

/// One side of a call: one block or, where the collective has them, one for each rank; in elements of `type`.
struct Part {
  std::vector<int> counts{};
  std::vector<int> displacements{};
  MPI_Datatype type = MPI_DATATYPE_NULL;

  [[nodiscard]] int count() const { return counts.empty() ? 0 : counts.front(); }
  /// Elements from the start of the buffer to the end of the last block.
  [[nodiscard]] int end() const;
};

struct Arguments {
  const void* send = nullptr;
  void* receive = nullptr;
  Part sent{};
  Part received{};
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

/// By which names a collective is called: the program's, which a preloaded library replaces, or the profiling
/// interface's, which it leaves alone.
enum class Names { kProgram, kProfiling };

/// The call's return code.
int invoke(Names names, Call call, const Arguments& arguments);

}  // namespace postage
