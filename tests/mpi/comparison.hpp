#pragma once

#include "mpi/typed_data.hpp"

#include <postage/transport/mpi/collectives.hpp>

#include <string>

namespace postage {

/// One collective call, for all ranks.
struct Comparison {
  const Algorithm* algorithm = nullptr;
  const TypeUnderTest* type = nullptr;
  const OperationUnderTest* op = nullptr;
  /// As MPI counts: the vector's elements, or a rank's or a pair's. For reduce_scatter those of one block.
  int count = 0;
  /// The v-variants: counts from 0 to 2 * `count`, blocks in reverse order with gaps between them.
  bool uneven = false;
  int root = 0;
  bool in_place = false;
  Bytes segment_bytes = 0;
  ParameterValues parameters{};
};

[[nodiscard]] std::string describe(const Comparison& comparison, int ranks);

/// Runs it by postage, twice, and by the library, on equal data. Empty where this rank's result is the same byte for
/// byte, nothing beside it was touched and the send buffer is as it was; otherwise what is wrong.
[[nodiscard]] std::string compare(MpiCollectives& collectives, const Comparison& comparison);

}  // namespace postage
