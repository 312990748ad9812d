#include "transport/mpi/check.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <limits>
#include <vector>

namespace postage {
namespace {

/// The counts, datatype and operation of a call.
struct LibraryArguments {
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op sum = MPI_SUM;
};

int checked_count(Bytes elements) {
  if (elements > std::numeric_limits<int>::max()) {
    throw UsageError("MPI's counts cannot say so many elements; take a smaller message or larger pieces");
  }
  return static_cast<int>(elements);
}

LibraryArguments arguments_of(const LibraryCall& call, StridedTypes& types) {
  if (!call.strides.is_contiguous()) {
    return {checked_count(call.bytes / call.strides.run), types.element_of(call.strides),
            types.sum_of(call.element_bytes)};
  }
  if (call.element_bytes == static_cast<Bytes>(sizeof(double))) {
    return {checked_count(call.bytes / call.element_bytes), MPI_DOUBLE, MPI_SUM};
  }
  // MPI has no sum of MPI_BYTE, and MPICH refuses it.
  return {checked_count(call.bytes), is_reduction(call.collective) ? MPI_SIGNED_CHAR : MPI_BYTE, MPI_SUM};
}

/// Whole elements, dealt as evenly as in a schedule of reduce_scatter: larger blocks first.
std::vector<int> even_counts(int elements, int ranks) {
  std::vector<int> counts(static_cast<std::size_t>(ranks), elements / ranks);
  for (int i = 0; i < elements % ranks; ++i) {
    ++counts[static_cast<std::size_t>(i)];
  }
  return counts;
}

/// Open MPI reads from the address of an empty buffer.
template <typename Byte>
Byte* address_of(std::span<Byte> buffer) {
  static std::byte nowhere{};
  return buffer.empty() ? &nowhere : buffer.data();
}

int call_reduction(const LibraryCall& call, const LibraryArguments& with, int ranks, MPI_Comm communicator) {
  const auto [n, type, sum] = with;
  const std::byte* const send = address_of(call.send);
  std::byte* const receive = address_of(call.receive);
  switch (call.collective) {
    case Collective::kReduce:
      return MPI_Reduce(send, receive, n, type, sum, call.root, communicator);
    case Collective::kAllreduce:
      return MPI_Allreduce(send, receive, n, type, sum, communicator);
    case Collective::kScan:
      return MPI_Scan(send, receive, n, type, sum, communicator);
    case Collective::kExscan:
      return MPI_Exscan(send, receive, n, type, sum, communicator);
    default:
      return MPI_Reduce_scatter(send, receive, even_counts(n, ranks).data(), type, sum, communicator);
  }
}

int call_copying(const LibraryCall& call, const LibraryArguments& with, MPI_Comm communicator) {
  const int n = with.count;
  MPI_Datatype type = with.type;
  const std::byte* const send = address_of(call.send);
  std::byte* const receive = address_of(call.receive);
  switch (call.collective) {
    case Collective::kBcast:
      return MPI_Bcast(receive, n, type, call.root, communicator);
    case Collective::kGather:
      return MPI_Gather(send, n, type, receive, n, type, call.root, communicator);
    case Collective::kScatter:
      return MPI_Scatter(send, n, type, receive, n, type, call.root, communicator);
    case Collective::kAllgather:
      return MPI_Allgather(send, n, type, receive, n, type, communicator);
    case Collective::kAlltoall:
      return MPI_Alltoall(send, n, type, receive, n, type, communicator);
    default:
      return MPI_Barrier(communicator);
  }
}

/// Blocks one after another.
int call_uneven(const LibraryCall& call, int rank, MPI_Comm communicator) {
  std::vector<int> counts;
  std::vector<int> offsets;
  Bytes offset = 0;
  for (const Bytes bytes : call.block_bytes) {
    counts.push_back(checked_count(bytes));
    offsets.push_back(checked_count(offset));
    offset += bytes;
  }
  const int own = counts[static_cast<std::size_t>(rank)];
  const std::byte* const send = address_of(call.send);
  std::byte* const receive = address_of(call.receive);
  switch (call.collective) {
    case Collective::kGather:
      return MPI_Gatherv(send, own, MPI_BYTE, receive, counts.data(), offsets.data(), MPI_BYTE, call.root,
                         communicator);
    case Collective::kScatter:
      return MPI_Scatterv(send, counts.data(), offsets.data(), MPI_BYTE, receive, own, MPI_BYTE, call.root,
                          communicator);
    case Collective::kAllgather:
      return MPI_Allgatherv(send, own, MPI_BYTE, receive, counts.data(), offsets.data(), MPI_BYTE, communicator);
    default:
      throw UsageError("only gatherv, scatterv and allgatherv of the library take blocks of different sizes here");
  }
}

}  // namespace

void MpiTransport::call_library(const LibraryCall& call) {
  if (is_virtual() && !call.strides.is_contiguous()) {
    throw UsageError("SMPI's own collectives move the pieces of strided messages for nothing; name an algorithm");
  }
  if (!call.block_bytes.empty()) {
    check(call_uneven(call, rank_, communicator_), "a collective of the library");
    return;
  }
  const LibraryArguments with = arguments_of(call, strided_types_);
  check(is_reduction(call.collective) ? call_reduction(call, with, size_, communicator_)
                                      : call_copying(call, with, communicator_),
        "a collective of the library");
}

}  // namespace postage
