#pragma once

#include "collectives.hpp"
#include "partition.hpp"

#include <string>
#include <vector>

namespace matmul {

/// What was typed.
struct Options {
  int n = 0;
  Split split = Split::kRows;
  std::string speeds;  ///< a number for each rank; measured where it is empty
  std::string trees;
  std::string bcast;
  std::string plan;  ///< writes what is scattered and gathered, and ends
  bool checks = false;
};

/// Throws std::runtime_error for words that it does not know.
[[nodiscard]] Options read_options(int argc, char** argv);

/// What is sent to each rank and back. Of rows the rank's rows of A; of columns its rows of A, then its columns of B,
/// with broadcasts only to the first of its column of processors.
struct Plan {
  std::vector<Part> parts;
  std::vector<int> columns_sent;  ///< of B
  Blocks scattered;
  Blocks gathered;
};

/// For so many ranks, all of which must call it: speeds are measured where no file gives them.
[[nodiscard]] Plan make_plan(const Options& options, int ranks);

/// Counts of numbers, as postage optimize tree --counts reads them with --element 8; and of each rank its column of
/// processors and how many columns of B that has.
void write_plan(const Plan& plan, const std::string& folder);

}  // namespace matmul
