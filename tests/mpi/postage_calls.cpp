#include "mpi/calls.hpp"

namespace postage {
namespace {

void scatter(const Comparison& c, MpiCollectives& collectives, CaseBuffers& buffers, const CollectiveChoice& choice) {
  void* const receive = buffers.works_in_place() ? MPI_IN_PLACE : buffers.first(buffers.receive);
  const MPI_Datatype type = c.type->type;
  if (c.uneven) {
    collectives.scatterv(buffers.first(buffers.send), buffers.sent().counts.data(), buffers.sent().displacements.data(),
                         type, receive, buffers.block_count(buffers.rank()), type, c.root, choice);
  } else {
    collectives.scatter(buffers.first(buffers.send), c.count, type, receive, c.count, type, c.root, choice);
  }
}

}  // namespace

void call_postage(const Comparison& c, MpiCollectives& collectives, CaseBuffers& buffers) {
  const CollectiveChoice choice{c.algorithm->name, c.segment_bytes, c.parameters};
  const void* const send = buffers.works_in_place() ? MPI_IN_PLACE : buffers.first(buffers.send);
  void* const receive = buffers.first(buffers.receive);
  const MPI_Datatype type = c.type->type;
  const MPI_Op op = c.op->op;
  switch (c.algorithm->collective) {
    case Collective::kBarrier:
      return collectives.barrier(choice);
    case Collective::kBcast:
      return collectives.bcast(receive, c.count, type, c.root, choice);
    case Collective::kReduce:
      return collectives.reduce(send, receive, c.count, type, op, c.root, choice);
    case Collective::kAllreduce:
      return collectives.allreduce(send, receive, c.count, type, op, choice);
    case Collective::kScan:
      return collectives.scan(send, receive, c.count, type, op, choice);
    case Collective::kExscan:
      return collectives.exscan(send, receive, c.count, type, op, choice);
    case Collective::kReduceScatter:
      return c.uneven ? collectives.reduce_scatter(send, receive, buffers.sent().counts.data(), type, op, choice)
                      : collectives.reduce_scatter_block(send, receive, c.count, type, op, choice);
    case Collective::kGather:
      return c.uneven ? collectives.gatherv(send, buffers.block_count(buffers.rank()), type, receive,
                                            buffers.received().counts.data(), buffers.received().displacements.data(),
                                            type, c.root, choice)
                      : collectives.gather(send, c.count, type, receive, c.count, type, c.root, choice);
    case Collective::kAllgather:
      return c.uneven ? collectives.allgatherv(send, buffers.block_count(buffers.rank()), type, receive,
                                               buffers.received().counts.data(),
                                               buffers.received().displacements.data(), type, choice)
                      : collectives.allgather(send, c.count, type, receive, c.count, type, choice);
    case Collective::kScatter:
      return scatter(c, collectives, buffers, choice);
    case Collective::kAlltoall:
      return c.uneven ? collectives.alltoallv(send, buffers.sent().counts.data(), buffers.sent().displacements.data(),
                                              type, receive, buffers.received().counts.data(),
                                              buffers.received().displacements.data(), type, choice)
                      : collectives.alltoall(send, c.count, type, receive, c.count, type, choice);
  }
}

}  // namespace postage
