#pragma once

#include <postage/preload/entries.hpp>

#include <mpi.h>

#include <cstdint>

namespace postage::preload {

/// Counts or displacements, one a rank: int, or what large-count variants take.
class Integers {
 public:
  Integers() = default;
  Integers(const int* values) : values_(values) {}                        // NOLINT(google-explicit-constructor)
  Integers(const long* values) : values_(values), is_wide_(true) {}       // NOLINT(google-explicit-constructor)
  Integers(const long long* values) : values_(values), is_wide_(true) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_given() const { return values_ != nullptr; }
  [[nodiscard]] std::int64_t operator[](int rank) const {
    return is_wide_ ? static_cast<const std::int64_t*>(values_)[rank] : static_cast<const int*>(values_)[rank];
  }

 private:
  const void* values_ = nullptr;
  bool is_wide_ = false;
};

/// The arguments of a blocking collective, as the program gave them. bcast's buffer is `receive` on every rank.
struct CollectiveCall {
  Entry entry = Entry::kBarrier;
  const void* send = nullptr;
  std::int64_t send_count = 0;
  MPI_Datatype send_type = MPI_DATATYPE_NULL;
  Integers send_counts{};
  Integers send_displacements{};
  void* receive = nullptr;
  std::int64_t receive_count = 0;
  MPI_Datatype receive_type = MPI_DATATYPE_NULL;
  Integers receive_counts{};
  Integers receive_displacements{};
  MPI_Op op = MPI_OP_NULL;
  int root = -1;
  MPI_Comm communicator = MPI_COMM_NULL;
};

}  // namespace postage::preload
