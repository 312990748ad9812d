#pragma once

#include <postage/tuning/library.hpp>

#include <vector>

namespace postage::library_lists {

// One file a library. A row with an empty `ours` is an algorithm that has no schedule here.
[[nodiscard]] std::vector<LibraryAlgorithm> open_mpi();
[[nodiscard]] std::vector<LibraryAlgorithm> mpich();
[[nodiscard]] std::vector<LibraryAlgorithm> ucc();
[[nodiscard]] std::vector<LibraryAlgorithm> intel_mpi();
[[nodiscard]] std::vector<LibraryAlgorithm> smpi();

}  // namespace postage::library_lists
