#include "transport/mpi/middleware.hpp"

namespace postage {

std::unique_ptr<Middleware> middleware_of(MPI_Comm /*communicator*/) {
  return nullptr;
}

}  // namespace postage
