#include "mpi/calls.hpp"

#include <array>
#include <string_view>

namespace postage {
namespace {

bool is_smpi() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  MPI_Get_library_version(version.data(), &length);
  return std::string_view(version.data()).starts_with("SMPI");
}

void call_prefix(const Comparison& c, const CaseBuffers& buffers, std::byte* receive) {
  const bool is_scan = c.algorithm->collective == Collective::kScan;
  if (!c.op->commutative && is_smpi()) {
    // SMPI 3.32 leaves out the other ranks then: gather them and combine them here.
    Buffer all(static_cast<std::size_t>(buffers.ranks() * c.count) * buffers.extent());
    MPI_Allgather(buffers.first(buffers.send), c.count, c.type->type, all.data(), c.count, c.type->type,
                  MPI_COMM_WORLD);
    const auto contribution = [&](int rank) {
      return all.data() + static_cast<std::size_t>(rank * c.count) * buffers.extent();
    };
    const int last = is_scan ? buffers.rank() : buffers.rank() - 1;
    for (int rank = last - 1; rank >= 0; --rank) {
      MPI_Reduce_local(contribution(rank), contribution(last), c.count, c.type->type, c.op->op);
    }
    if (last >= 0) {
      MPI_Sendrecv(contribution(last), c.count, c.type->type, buffers.rank(), 0, receive, c.count, c.type->type,
                   buffers.rank(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else if (is_scan) {
    MPI_Scan(buffers.first(buffers.send), receive, c.count, c.type->type, c.op->op, MPI_COMM_WORLD);
  } else {
    MPI_Exscan(buffers.first(buffers.send), receive, c.count, c.type->type, c.op->op, MPI_COMM_WORLD);
  }
}

}  // namespace

void call_library(const Comparison& c, const CaseBuffers& buffers, Buffer& result) {
  const std::byte* const send = buffers.first(buffers.send);
  std::byte* const receive = buffers.first(result);
  const MPI_Datatype type = c.type->type;
  const MPI_Op op = c.op->op;
  const MPI_Comm world = MPI_COMM_WORLD;
  switch (c.algorithm->collective) {
    case Collective::kBarrier:
      MPI_Barrier(world);
      break;
    case Collective::kBcast:
      MPI_Bcast(receive, c.count, type, c.root, world);
      break;
    case Collective::kReduce:
      MPI_Reduce(send, receive, c.count, type, op, c.root, world);
      break;
    case Collective::kAllreduce:
      MPI_Allreduce(send, receive, c.count, type, op, world);
      break;
    case Collective::kScan:
    case Collective::kExscan:
      call_prefix(c, buffers, receive);
      break;
    case Collective::kReduceScatter:
      MPI_Reduce_scatter(send, receive, buffers.sent().counts.data(), type, op, world);
      break;
    case Collective::kGather:
      MPI_Gatherv(send, buffers.block_count(buffers.rank()), type, receive, buffers.received().counts.data(),
                  buffers.received().displacements.data(), type, c.root, world);
      break;
    case Collective::kAllgather:
      MPI_Allgatherv(send, buffers.block_count(buffers.rank()), type, receive, buffers.received().counts.data(),
                     buffers.received().displacements.data(), type, world);
      break;
    case Collective::kScatter:
      MPI_Scatterv(send, buffers.sent().counts.data(), buffers.sent().displacements.data(), type, receive,
                   buffers.block_count(buffers.rank()), type, c.root, world);
      break;
    case Collective::kAlltoall:
      MPI_Alltoallv(send, buffers.sent().counts.data(), buffers.sent().displacements.data(), type, receive,
                    buffers.received().counts.data(), buffers.received().displacements.data(), type, world);
      break;
  }
}

}  // namespace postage
