#pragma once

// Calls that are observed only: X(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER). BEFORE runs before the next tool's or
// the library's own function, AFTER when it has returned `result`; `began` is the time between.
// clang-format off
#define POSTAGE_SENDS(X, NAME)                                                                                        \
  X(NAME, (const void* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm),                     \
    (buffer, count, type, target, tag, comm), ,                                                                       \
    observe_message({Entry::k##NAME, comm, target, MPI_PROC_NULL, tag, bytes_of(count, type)}, began))
#define POSTAGE_STARTED_SENDS(X, NAME)                                                                                \
  X(NAME, (const void* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,                      \
           MPI_Request* request),                                                                                     \
    (buffer, count, type, target, tag, comm, request), ,                                                              \
    observe_message({Entry::k##NAME, comm, target, MPI_PROC_NULL, tag, bytes_of(count, type)}, began, {request, 1}))
#define POSTAGE_STARTED_RECEIVES(X, NAME)                                                                             \
  X(NAME, (void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request),     \
    (buffer, count, type, source, tag, comm, request), ,                                                              \
    observe_message({Entry::k##NAME, comm, MPI_PROC_NULL, source, tag, 0, bytes_of(count, type)}, began,              \
                    {request, 1}))
#define POSTAGE_MESSAGES(X)                                                                                           \
  POSTAGE_SENDS(X, Send) POSTAGE_SENDS(X, Bsend) POSTAGE_SENDS(X, Ssend) POSTAGE_SENDS(X, Rsend)                      \
  POSTAGE_STARTED_SENDS(X, Isend) POSTAGE_STARTED_SENDS(X, Ibsend) POSTAGE_STARTED_SENDS(X, Issend)                   \
  POSTAGE_STARTED_SENDS(X, Irsend) POSTAGE_STARTED_SENDS(X, Send_init) POSTAGE_STARTED_SENDS(X, Bsend_init)           \
  POSTAGE_STARTED_SENDS(X, Ssend_init) POSTAGE_STARTED_SENDS(X, Rsend_init)                                           \
  POSTAGE_STARTED_RECEIVES(X, Irecv) POSTAGE_STARTED_RECEIVES(X, Recv_init)                                           \
  X(Recv, (void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* wanted),       \
    (buffer, count, type, source, tag, comm, status.get()), const StatusRoom status(wanted);,                         \
    observe_message({Entry::kRecv, comm, MPI_PROC_NULL, status.get()->MPI_SOURCE, status.get()->MPI_TAG, 0,           \
                     status.bytes()}, began))                                                                         \
  X(Sendrecv, (const void* send, int send_count, MPI_Datatype send_type, int target, int send_tag, void* receive,     \
               int receive_count, MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm comm,              \
               MPI_Status* wanted),                                                                                   \
    (send, send_count, send_type, target, send_tag, receive, receive_count, receive_type, source, receive_tag, comm,  \
     status.get()), const StatusRoom status(wanted);,                                                                 \
    observe_message({Entry::kSendrecv, comm, target, status.get()->MPI_SOURCE, send_tag,                              \
                     bytes_of(send_count, send_type), status.bytes()}, began))                                        \
  X(Sendrecv_replace, (void* buffer, int count, MPI_Datatype type, int target, int send_tag, int source,              \
                       int receive_tag, MPI_Comm comm, MPI_Status* wanted),                                           \
    (buffer, count, type, target, send_tag, source, receive_tag, comm, status.get()),                                 \
    const StatusRoom status(wanted);,                                                                                 \
    observe_message({Entry::kSendrecv_replace, comm, target, status.get()->MPI_SOURCE, send_tag,                      \
                     bytes_of(count, type), status.bytes()}, began))                                                  \
  X(Probe, (int source, int tag, MPI_Comm comm, MPI_Status* wanted), (source, tag, comm, status.get()),               \
    const StatusRoom status(wanted);,                                                                                 \
    observe_message({Entry::kProbe, comm, MPI_PROC_NULL, status.get()->MPI_SOURCE, status.get()->MPI_TAG, 0,          \
                     status.bytes()}, began))

#define POSTAGE_REQUESTS(X)                                                                                           \
  X(Start, (MPI_Request* request), (request), , observe_requests(Entry::kStart, began, {request, 1}))                 \
  X(Startall, (int count, MPI_Request* requests), (count, requests), ,                                                \
    observe_requests(Entry::kStartall, began, list_of(requests, count)))                                              \
  X(Request_free, (MPI_Request* request), (request), const auto before = copy_of(request, 1);,                        \
    observe_requests(Entry::kRequest_free, began, before))                                                            \
  X(Wait, (MPI_Request* request, MPI_Status* status), (request, status), const auto before = copy_of(request, 1);,    \
    observe_requests(Entry::kWait, began, before))                                                                    \
  X(Waitall, (int count, MPI_Request* requests, MPI_Status* statuses), (count, requests, statuses),                   \
    const auto before = copy_of(requests, count);, observe_requests(Entry::kWaitall, began, before))                  \
  X(Waitany, (int count, MPI_Request* requests, int* index, MPI_Status* status), (count, requests, index, status),    \
    const auto before = copy_of(requests, count);,                                                                    \
    observe_requests(Entry::kWaitany, began, chosen(before, index, 1)))                                               \
  X(Waitsome, (int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses),                 \
    (count, requests, completed, indices, statuses), const auto before = copy_of(requests, count);,                   \
    observe_requests(Entry::kWaitsome, began, chosen(before, indices, *completed)))                                   \
  X(Test, (MPI_Request* request, int* flag, MPI_Status* status), (request, flag, status),                             \
    const auto before = copy_of(request, 1);, observe_requests(Entry::kTest, began, if_done(before, *flag)))          \
  X(Testall, (int count, MPI_Request* requests, int* flag, MPI_Status* statuses), (count, requests, flag, statuses),  \
    const auto before = copy_of(requests, count);,                                                                    \
    observe_requests(Entry::kTestall, began, if_done(before, *flag)))                                                 \
  X(Testany, (int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status),                           \
    (count, requests, index, flag, status), const auto before = copy_of(requests, count);,                            \
    observe_requests(Entry::kTestany, began, chosen(before, index, *flag != 0 ? 1 : 0)))                              \
  X(Testsome, (int count, MPI_Request* requests, int* completed, int* indices, MPI_Status* statuses),                 \
    (count, requests, completed, indices, statuses), const auto before = copy_of(requests, count);,                   \
    observe_requests(Entry::kTestsome, began, chosen(before, indices, *completed)))

#define POSTAGE_STARTED_COLLECTIVE(ENTRY, ROOT, BYTES)                                                                \
  observe_message({Entry::ENTRY, comm, ROOT, MPI_PROC_NULL, -1, BYTES}, began, {request, 1})
#define POSTAGE_STARTED_COLLECTIVES(X)                                                                                \
  X(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request), ,                                               \
    POSTAGE_STARTED_COLLECTIVE(kIbarrier, MPI_PROC_NULL, 0))                                                          \
  X(Ibcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request),              \
    (buffer, count, type, root, comm, request), , POSTAGE_STARTED_COLLECTIVE(kIbcast, root, bytes_of(count, type)))   \
  X(Ireduce, (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,      \
              MPI_Request* request), (send, receive, count, type, op, root, comm, request), ,                         \
    POSTAGE_STARTED_COLLECTIVE(kIreduce, root, bytes_of(count, type)))                                                \
  X(Iallreduce, (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,             \
                 MPI_Request* request), (send, receive, count, type, op, comm, request), ,                            \
    POSTAGE_STARTED_COLLECTIVE(kIallreduce, MPI_PROC_NULL, bytes_of(count, type)))                                    \
  X(Iallgather, (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,          \
                 MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request),                                     \
    (send, send_count, send_type, receive, receive_count, receive_type, comm, request), ,                             \
    POSTAGE_STARTED_COLLECTIVE(kIallgather, MPI_PROC_NULL, bytes_of(receive_count, receive_type)))                    \
  X(Igather, (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,             \
              MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request),                              \
    (send, send_count, send_type, receive, receive_count, receive_type, root, comm, request), ,                       \
    POSTAGE_STARTED_COLLECTIVE(kIgather, root, bytes_of(send_count, send_type)))                                      \
  X(Iscatter, (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,            \
               MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request),                             \
    (send, send_count, send_type, receive, receive_count, receive_type, root, comm, request), ,                       \
    POSTAGE_STARTED_COLLECTIVE(kIscatter, root, bytes_of(receive_count, receive_type)))                               \
  X(Ialltoall, (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,           \
                MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request),                                      \
    (send, send_count, send_type, receive, receive_count, receive_type, comm, request), ,                             \
    POSTAGE_STARTED_COLLECTIVE(kIalltoall, MPI_PROC_NULL, bytes_of(receive_count, receive_type)))

#define POSTAGE_C_OBSERVED(X) POSTAGE_MESSAGES(X) POSTAGE_REQUESTS(X) POSTAGE_STARTED_COLLECTIVES(X)
// clang-format on
