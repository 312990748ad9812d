#pragma once

#include <postage/measure/batch.hpp>

#include <mpi.h>

#include <vector>

namespace postage {

/// The MPI library's own collective, whichever algorithm it takes for it, with buffers as MPI wants them.
class LibraryCollective {
 public:
  LibraryCollective(MPI_Comm communicator, const CollectiveRun& run);
  /// Calls it once.
  void operator()();

 private:
  [[nodiscard]] int count() const;

  MPI_Comm communicator_;
  CollectiveRun run_;
  int rank_ = 0;
  int size_ = 1;
  MPI_Datatype type_ = MPI_BYTE;
  std::vector<int> counts_;
  std::vector<char> send_;
  std::vector<char> receive_;
};

}  // namespace postage
