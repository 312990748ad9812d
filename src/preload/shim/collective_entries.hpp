#pragma once

// The blocking collectives' C entries: X(NAME, ENTRY, PARAMETERS, ARGUMENTS, FIELDS of CollectiveCall). N is the type
// of a count, C of an array of counts, D of an array of displacements: the large-count variants differ in nothing else.
// clang-format off
#define POSTAGE_COLLECTIVE_ENTRIES(X, S, N, C, D)                                                                     \
  X(Bcast##S, kBcast, (void* buffer, N count, MPI_Datatype type, int root, MPI_Comm comm),                            \
    (buffer, count, type, root, comm),                                                                                \
    .receive = buffer, .receive_count = count, .receive_type = type, .root = root)                                    \
  X(Reduce##S, kReduce, (const void* send, void* receive, N count, MPI_Datatype type, MPI_Op op, int root,            \
                         MPI_Comm comm),                                                                              \
    (send, receive, count, type, op, root, comm),                                                                     \
    .send = send, .receive = receive, .receive_count = count, .receive_type = type, .op = op, .root = root)           \
  X(Allreduce##S, kAllreduce, (const void* send, void* receive, N count, MPI_Datatype type, MPI_Op op,                \
                               MPI_Comm comm),                                                                        \
    (send, receive, count, type, op, comm),                                                                           \
    .send = send, .receive = receive, .receive_count = count, .receive_type = type, .op = op)                         \
  X(Allgather##S, kAllgather, (const void* send, N send_count, MPI_Datatype send_type, void* receive,                 \
                               N receive_count, MPI_Datatype receive_type, MPI_Comm comm),                            \
    (send, send_count, send_type, receive, receive_count, receive_type, comm),                                        \
    .send = send, .send_count = send_count, .send_type = send_type, .receive = receive,                               \
    .receive_count = receive_count, .receive_type = receive_type)                                                     \
  X(Allgatherv##S, kAllgatherv, (const void* send, N send_count, MPI_Datatype send_type, void* receive,               \
                                 C counts, D displacements, MPI_Datatype receive_type, MPI_Comm comm),                \
    (send, send_count, send_type, receive, counts, displacements, receive_type, comm),                                \
    .send = send, .send_count = send_count, .send_type = send_type, .receive = receive, .receive_type = receive_type, \
    .receive_counts = counts, .receive_displacements = displacements)                                                 \
  X(Gather##S, kGather, (const void* send, N send_count, MPI_Datatype send_type, void* receive, N receive_count,      \
                         MPI_Datatype receive_type, int root, MPI_Comm comm),                                         \
    (send, send_count, send_type, receive, receive_count, receive_type, root, comm),                                  \
    .send = send, .send_count = send_count, .send_type = send_type, .receive = receive,                               \
    .receive_count = receive_count, .receive_type = receive_type, .root = root)                                       \
  X(Gatherv##S, kGatherv, (const void* send, N send_count, MPI_Datatype send_type, void* receive, C counts,           \
                           D displacements, MPI_Datatype receive_type, int root, MPI_Comm comm),                      \
    (send, send_count, send_type, receive, counts, displacements, receive_type, root, comm),                          \
    .send = send, .send_count = send_count, .send_type = send_type, .receive = receive, .receive_type = receive_type, \
    .receive_counts = counts, .receive_displacements = displacements, .root = root)                                   \
  X(Scatter##S, kScatter, (const void* send, N send_count, MPI_Datatype send_type, void* receive, N receive_count,    \
                           MPI_Datatype receive_type, int root, MPI_Comm comm),                                       \
    (send, send_count, send_type, receive, receive_count, receive_type, root, comm),                                  \
    .send = send, .send_count = send_count, .send_type = send_type, .receive = receive,                               \
    .receive_count = receive_count, .receive_type = receive_type, .root = root)                                       \
  X(Scatterv##S, kScatterv, (const void* send, C counts, D displacements, MPI_Datatype send_type, void* receive,      \
                             N receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),                    \
    (send, counts, displacements, send_type, receive, receive_count, receive_type, root, comm),                       \
    .send = send, .send_type = send_type, .send_counts = counts, .send_displacements = displacements,                 \
    .receive = receive, .receive_count = receive_count, .receive_type = receive_type, .root = root)                   \
  X(Alltoall##S, kAlltoall, (const void* send, N send_count, MPI_Datatype send_type, void* receive,                   \
                             N receive_count, MPI_Datatype receive_type, MPI_Comm comm),                              \
    (send, send_count, send_type, receive, receive_count, receive_type, comm),                                        \
    .send = send, .send_count = send_count, .send_type = send_type, .receive = receive,                               \
    .receive_count = receive_count, .receive_type = receive_type)                                                     \
  X(Alltoallv##S, kAlltoallv, (const void* send, C send_counts, D send_displacements, MPI_Datatype send_type,         \
                               void* receive, C receive_counts, D receive_displacements, MPI_Datatype receive_type,   \
                               MPI_Comm comm),                                                                        \
    (send, send_counts, send_displacements, send_type, receive, receive_counts, receive_displacements, receive_type,  \
     comm),                                                                                                           \
    .send = send, .send_type = send_type, .send_counts = send_counts, .send_displacements = send_displacements,       \
    .receive = receive, .receive_type = receive_type, .receive_counts = receive_counts,                               \
    .receive_displacements = receive_displacements)                                                                   \
  X(Reduce_scatter##S, kReduce_scatter, (const void* send, void* receive, C counts, MPI_Datatype type, MPI_Op op,     \
                                         MPI_Comm comm),                                                              \
    (send, receive, counts, type, op, comm),                                                                          \
    .send = send, .receive = receive, .receive_type = type, .receive_counts = counts, .op = op)                       \
  X(Reduce_scatter_block##S, kReduce_scatter_block, (const void* send, void* receive, N count, MPI_Datatype type,     \
                                                     MPI_Op op, MPI_Comm comm),                                       \
    (send, receive, count, type, op, comm),                                                                           \
    .send = send, .receive = receive, .receive_count = count, .receive_type = type, .op = op)                         \
  X(Scan##S, kScan, (const void* send, void* receive, N count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),          \
    (send, receive, count, type, op, comm),                                                                           \
    .send = send, .receive = receive, .receive_count = count, .receive_type = type, .op = op)                         \
  X(Exscan##S, kExscan, (const void* send, void* receive, N count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),      \
    (send, receive, count, type, op, comm),                                                                           \
    .send = send, .receive = receive, .receive_count = count, .receive_type = type, .op = op)

#define POSTAGE_BARRIER_ENTRY(X) X(Barrier, kBarrier, (MPI_Comm comm), (comm), .root = -1)

#define POSTAGE_SMALL_COUNT_ENTRIES(X) \
  POSTAGE_BARRIER_ENTRY(X) POSTAGE_COLLECTIVE_ENTRIES(X, , int, const int*, const int*)
#if MPI_VERSION >= 4
#define POSTAGE_LARGE_COUNT_ENTRIES(X) \
  POSTAGE_COLLECTIVE_ENTRIES(X, _c, MPI_Count, const MPI_Count*, const MPI_Aint*)
#else
#define POSTAGE_LARGE_COUNT_ENTRIES(X)
#endif
#define POSTAGE_C_COLLECTIVES(X) POSTAGE_SMALL_COUNT_ENTRIES(X) POSTAGE_LARGE_COUNT_ENTRIES(X)
// clang-format on
