#include "communicators.hpp"

namespace postage {
namespace {

MPI_Comm split(int color, int key) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
  return comm;
}

MPI_Comm copy_of_world() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return comm;
}

MPI_Comm ring(int size) {
  const int periodic = 1;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
  return comm;
}

}  // namespace

Communicators::Communicators() {
  const TestCommunicator world{"world", MPI_COMM_WORLD};
  const int rank = world.rank();
  const int size = world.size();
  all_ = {world,
          {"a copy of world", copy_of_world()},
          {"odd or even ranks", split(rank % 2, rank)},
          {"ranks in reverse order", split(0, -rank)},
          {"a ring", ring(size)},
          {"all but the last rank", split(size > 1 && rank == size - 1 ? MPI_UNDEFINED : 0, rank)},
          {"self", MPI_COMM_SELF}};
}

Communicators::~Communicators() {
  for (TestCommunicator& communicator : all_) {
    if (communicator.comm != MPI_COMM_NULL && communicator.comm != MPI_COMM_WORLD &&
        communicator.comm != MPI_COMM_SELF) {
      MPI_Comm_free(&communicator.comm);
    }
  }
}

}  // namespace postage
