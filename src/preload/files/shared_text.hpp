#pragma once

#include <string>

namespace postage::preload {

/// What rank 0 read in a file for all ranks, so that they decide alike.
struct SharedText {
  std::string text{};
  bool is_missing = false;  ///< it could not be read, or is wrong
};

/// Collective over MPI_COMM_WORLD: every rank gets rank 0's.
[[nodiscard]] SharedText share_from_first_rank(SharedText mine);

}  // namespace postage::preload
