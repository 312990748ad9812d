#pragma once

// The blocking collectives' Fortran entries of Open MPI: X(NAME, UPPER-CASE NAME, ENTRY, PARAMETERS, ARGUMENTS, FIELDS
// of CollectiveCall). Handles are integers, also where mpi_f08 wraps them in a type; arguments come by address.
// clang-format off
#define POSTAGE_FORTRAN_COLLECTIVES(X)                                                                                \
  X(barrier, BARRIER, kBarrier, (int* comm, int* error), (comm, error), .root = -1)                                   \
  X(bcast, BCAST, kBcast, (void* buffer, int* count, int* type, int* root, int* comm, int* error),                    \
    (buffer, count, type, root, comm, error),                                                                         \
    .receive = address_of(buffer), .receive_count = *count, .receive_type = PMPI_Type_f2c(*type), .root = *root)      \
  X(reduce, REDUCE, kReduce, (void* send, void* receive, int* count, int* type, int* op, int* root, int* comm,        \
                              int* error),                                                                            \
    (send, receive, count, type, op, root, comm, error),                                                              \
    .send = address_of(send), .receive = address_of(receive), .receive_count = *count,                                \
    .receive_type = PMPI_Type_f2c(*type), .op = PMPI_Op_f2c(*op), .root = *root)                                      \
  X(allreduce, ALLREDUCE, kAllreduce, (void* send, void* receive, int* count, int* type, int* op, int* comm,          \
                                       int* error),                                                                   \
    (send, receive, count, type, op, comm, error),                                                                    \
    .send = address_of(send), .receive = address_of(receive), .receive_count = *count,                                \
    .receive_type = PMPI_Type_f2c(*type), .op = PMPI_Op_f2c(*op))                                                     \
  X(allgather, ALLGATHER, kAllgather, (void* send, int* send_count, int* send_type, void* receive,                    \
                                       int* receive_count, int* receive_type, int* comm, int* error),                 \
    (send, send_count, send_type, receive, receive_count, receive_type, comm, error),                                 \
    .send = address_of(send), .send_count = *send_count, .send_type = PMPI_Type_f2c(*send_type),                      \
    .receive = address_of(receive), .receive_count = *receive_count, .receive_type = PMPI_Type_f2c(*receive_type))    \
  X(allgatherv, ALLGATHERV, kAllgatherv, (void* send, int* send_count, int* send_type, void* receive, int* counts,    \
                                          int* displacements, int* receive_type, int* comm, int* error),              \
    (send, send_count, send_type, receive, counts, displacements, receive_type, comm, error),                         \
    .send = address_of(send), .send_count = *send_count, .send_type = PMPI_Type_f2c(*send_type),                      \
    .receive = address_of(receive), .receive_type = PMPI_Type_f2c(*receive_type), .receive_counts = counts,           \
    .receive_displacements = displacements)                                                                           \
  X(gather, GATHER, kGather, (void* send, int* send_count, int* send_type, void* receive, int* receive_count,         \
                              int* receive_type, int* root, int* comm, int* error),                                   \
    (send, send_count, send_type, receive, receive_count, receive_type, root, comm, error),                           \
    .send = address_of(send), .send_count = *send_count, .send_type = PMPI_Type_f2c(*send_type),                      \
    .receive = address_of(receive), .receive_count = *receive_count,                                                  \
    .receive_type = PMPI_Type_f2c(*receive_type), .root = *root)                                                      \
  X(gatherv, GATHERV, kGatherv, (void* send, int* send_count, int* send_type, void* receive, int* counts,             \
                                 int* displacements, int* receive_type, int* root, int* comm, int* error),            \
    (send, send_count, send_type, receive, counts, displacements, receive_type, root, comm, error),                   \
    .send = address_of(send), .send_count = *send_count, .send_type = PMPI_Type_f2c(*send_type),                      \
    .receive = address_of(receive), .receive_type = PMPI_Type_f2c(*receive_type), .receive_counts = counts,           \
    .receive_displacements = displacements, .root = *root)                                                            \
  X(scatter, SCATTER, kScatter, (void* send, int* send_count, int* send_type, void* receive, int* receive_count,      \
                                 int* receive_type, int* root, int* comm, int* error),                                \
    (send, send_count, send_type, receive, receive_count, receive_type, root, comm, error),                           \
    .send = address_of(send), .send_count = *send_count, .send_type = PMPI_Type_f2c(*send_type),                      \
    .receive = address_of(receive), .receive_count = *receive_count,                                                  \
    .receive_type = PMPI_Type_f2c(*receive_type), .root = *root)                                                      \
  X(scatterv, SCATTERV, kScatterv, (void* send, int* counts, int* displacements, int* send_type, void* receive,       \
                                    int* receive_count, int* receive_type, int* root, int* comm, int* error),         \
    (send, counts, displacements, send_type, receive, receive_count, receive_type, root, comm, error),                \
    .send = address_of(send), .send_type = PMPI_Type_f2c(*send_type), .send_counts = counts,                          \
    .send_displacements = displacements, .receive = address_of(receive), .receive_count = *receive_count,             \
    .receive_type = PMPI_Type_f2c(*receive_type), .root = *root)                                                      \
  X(alltoall, ALLTOALL, kAlltoall, (void* send, int* send_count, int* send_type, void* receive, int* receive_count,   \
                                    int* receive_type, int* comm, int* error),                                        \
    (send, send_count, send_type, receive, receive_count, receive_type, comm, error),                                 \
    .send = address_of(send), .send_count = *send_count, .send_type = PMPI_Type_f2c(*send_type),                      \
    .receive = address_of(receive), .receive_count = *receive_count, .receive_type = PMPI_Type_f2c(*receive_type))    \
  X(alltoallv, ALLTOALLV, kAlltoallv, (void* send, int* send_counts, int* send_displacements, int* send_type,         \
                                       void* receive, int* receive_counts, int* receive_displacements,                \
                                       int* receive_type, int* comm, int* error),                                     \
    (send, send_counts, send_displacements, send_type, receive, receive_counts, receive_displacements, receive_type,  \
     comm, error),                                                                                                    \
    .send = address_of(send), .send_type = PMPI_Type_f2c(*send_type), .send_counts = send_counts,                     \
    .send_displacements = send_displacements, .receive = address_of(receive),                                         \
    .receive_type = PMPI_Type_f2c(*receive_type), .receive_counts = receive_counts,                                   \
    .receive_displacements = receive_displacements)                                                                   \
  X(reduce_scatter, REDUCE_SCATTER, kReduce_scatter, (void* send, void* receive, int* counts, int* type, int* op,     \
                                                      int* comm, int* error),                                         \
    (send, receive, counts, type, op, comm, error),                                                                   \
    .send = address_of(send), .receive = address_of(receive), .receive_type = PMPI_Type_f2c(*type),                   \
    .receive_counts = counts, .op = PMPI_Op_f2c(*op))                                                                 \
  X(reduce_scatter_block, REDUCE_SCATTER_BLOCK, kReduce_scatter_block, (void* send, void* receive, int* count,        \
                                                                        int* type, int* op, int* comm, int* error),   \
    (send, receive, count, type, op, comm, error),                                                                    \
    .send = address_of(send), .receive = address_of(receive), .receive_count = *count,                                \
    .receive_type = PMPI_Type_f2c(*type), .op = PMPI_Op_f2c(*op))                                                     \
  X(scan, SCAN, kScan, (void* send, void* receive, int* count, int* type, int* op, int* comm, int* error),            \
    (send, receive, count, type, op, comm, error),                                                                    \
    .send = address_of(send), .receive = address_of(receive), .receive_count = *count,                                \
    .receive_type = PMPI_Type_f2c(*type), .op = PMPI_Op_f2c(*op))                                                     \
  X(exscan, EXSCAN, kExscan, (void* send, void* receive, int* count, int* type, int* op, int* comm, int* error),      \
    (send, receive, count, type, op, comm, error),                                                                    \
    .send = address_of(send), .receive = address_of(receive), .receive_count = *count,                                \
    .receive_type = PMPI_Type_f2c(*type), .op = PMPI_Op_f2c(*op))
// clang-format on
