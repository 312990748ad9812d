#pragma once

#include <postage/schedule/algorithms.hpp>

#include <mpi.h>

#include <memory>
#include <string_view>

namespace postage {

/// The algorithm that a collective is done by.
struct CollectiveChoice {
  /// A name that find_algorithm knows for the collective.
  std::string_view algorithm;
  Bytes segment_bytes = 0;
  ParameterValues parameters{};
};

/// MPI's collectives, done by schedules over messages between two ranks: nothing here calls a collective of the
/// library. Arguments mean what they mean in MPI: MPI_IN_PLACE wherever MPI allows it, any datatype (those with gaps or
/// in another order are packed), any operation for which MPI_Reduce_local has a meaning, the order of ranks kept where
/// it does not commute. All ranks must make the same choice.
///
/// Programs of recent calls are kept, so that a call like an earlier one needs no schedule. One object serves one
/// thread at a time. Throws UsageError for invalid arguments and choices, and Error for what MPI reports;
/// after an error the object must not be used again, as messages may be pending.
class MpiCollectives {
 public:
  /// Duplicates the communicator, which is collective. Throws UsageError where it joins two groups.
  explicit MpiCollectives(MPI_Comm communicator);
  ~MpiCollectives();
  MpiCollectives(const MpiCollectives&) = delete;
  MpiCollectives& operator=(const MpiCollectives&) = delete;

  void barrier(const CollectiveChoice& choice);
  void bcast(void* buffer, int count, MPI_Datatype type, int root, const CollectiveChoice& choice);

  void reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
              const CollectiveChoice& choice);
  void allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                 const CollectiveChoice& choice);
  void scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, const CollectiveChoice& choice);
  void exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, const CollectiveChoice& choice);
  void reduce_scatter(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                      const CollectiveChoice& choice);
  void reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                            const CollectiveChoice& choice);

  void gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
              MPI_Datatype receive_type, int root, const CollectiveChoice& choice);
  void scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, int root, const CollectiveChoice& choice);
  void allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, const CollectiveChoice& choice);
  void alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, const CollectiveChoice& choice);

  // Of gatherv and scatterv only the root knows all sizes, of alltoallv no rank. Where an algorithm forwards blocks, or
  // cuts them into segments, the sizes are exchanged first.
  void gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
               const int* displacements, MPI_Datatype receive_type, int root, const CollectiveChoice& choice);
  void scatterv(const void* send, const int* send_counts, const int* displacements, MPI_Datatype send_type,
                void* receive, int receive_count, MPI_Datatype receive_type, int root, const CollectiveChoice& choice);
  void allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                  const int* displacements, MPI_Datatype receive_type, const CollectiveChoice& choice);
  void alltoallv(const void* send, const int* send_counts, const int* send_displacements, MPI_Datatype send_type,
                 void* receive, const int* receive_counts, const int* receive_displacements, MPI_Datatype receive_type,
                 const CollectiveChoice& choice);

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace postage
