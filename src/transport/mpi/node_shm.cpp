#include "transport/mpi/check.hpp"

#include <postage/transport/mpi/node_shm.hpp>

namespace postage {
namespace {

/// A communicator that is freed with its owner.
class NodeCommunicator {
 public:
  explicit NodeCommunicator(MPI_Comm whole) {
    check(MPI_Comm_split_type(whole, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &communicator_), "MPI_Comm_split_type");
  }
  ~NodeCommunicator() { MPI_Comm_free(&communicator_); }
  NodeCommunicator(const NodeCommunicator&) = delete;
  NodeCommunicator& operator=(const NodeCommunicator&) = delete;

  [[nodiscard]] MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

}  // namespace

NodeGroup node_group(MPI_Comm communicator, const SegmentOptions& options) {
  const NodeCommunicator node(communicator);
  int rank = 0;
  int size = 1;
  check(MPI_Comm_rank(node.get(), &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(node.get(), &size), "MPI_Comm_size");
  const auto exchange = [&](std::span<const std::byte> mine, std::span<std::byte> all) {
    const int bytes = static_cast<int>(mine.size());
    check(MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, node.get()), "MPI_Allgather");
  };
  return {ShmSegment::agree(rank, size, exchange, options), rank};
}

}  // namespace postage
