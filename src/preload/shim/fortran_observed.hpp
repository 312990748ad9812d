#pragma once

// Fortran's entries that are observed only: X(NAME, UPPER-CASE NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER), as
// observed_entries.hpp has the C ones. Handles are integers; arguments come by address, indices count from 1.
// clang-format off
#define POSTAGE_FORTRAN_SEND_PARAMETERS void* buffer, int* count, int* type, int* target, int* tag, int* comm
#define POSTAGE_FORTRAN_SENT(ENTRY) \
  {Entry::ENTRY, PMPI_Comm_f2c(*comm), *target, MPI_PROC_NULL, *tag, bytes_of_fortran(*count, *type)}
#define POSTAGE_FORTRAN_SENDS(X, NAME, UPPER, ENTRY)                                                                   \
  X(NAME, UPPER, (POSTAGE_FORTRAN_SEND_PARAMETERS, int* error), (buffer, count, type, target, tag, comm, &result), ,   \
    observe_message(POSTAGE_FORTRAN_SENT(ENTRY), began))
#define POSTAGE_FORTRAN_STARTED_SENDS(X, NAME, UPPER, ENTRY)                                                           \
  X(NAME, UPPER, (POSTAGE_FORTRAN_SEND_PARAMETERS, int* request, int* error),                                          \
    (buffer, count, type, target, tag, comm, request, &result), ,                                                      \
    observe_message(POSTAGE_FORTRAN_SENT(ENTRY), began, requests_of(request, 1)))
#define POSTAGE_FORTRAN_STARTED_RECEIVES(X, NAME, UPPER, ENTRY)                                                        \
  X(NAME, UPPER, (void* buffer, int* count, int* type, int* source, int* tag, int* comm, int* request, int* error),    \
    (buffer, count, type, source, tag, comm, request, &result), ,                                                      \
    observe_message({Entry::ENTRY, PMPI_Comm_f2c(*comm), MPI_PROC_NULL, *source, *tag, 0,                              \
                     bytes_of_fortran(*count, *type)}, began, requests_of(request, 1)))
#define POSTAGE_FORTRAN_MESSAGES(X)                                                                                    \
  POSTAGE_FORTRAN_SENDS(X, send, SEND, kSend) POSTAGE_FORTRAN_SENDS(X, bsend, BSEND, kBsend)                           \
  POSTAGE_FORTRAN_SENDS(X, ssend, SSEND, kSsend) POSTAGE_FORTRAN_SENDS(X, rsend, RSEND, kRsend)                        \
  POSTAGE_FORTRAN_STARTED_SENDS(X, isend, ISEND, kIsend) POSTAGE_FORTRAN_STARTED_SENDS(X, ibsend, IBSEND, kIbsend)     \
  POSTAGE_FORTRAN_STARTED_SENDS(X, issend, ISSEND, kIssend) POSTAGE_FORTRAN_STARTED_SENDS(X, irsend, IRSEND, kIrsend)  \
  POSTAGE_FORTRAN_STARTED_SENDS(X, send_init, SEND_INIT, kSend_init)                                                   \
  POSTAGE_FORTRAN_STARTED_SENDS(X, bsend_init, BSEND_INIT, kBsend_init)                                                \
  POSTAGE_FORTRAN_STARTED_SENDS(X, ssend_init, SSEND_INIT, kSsend_init)                                                \
  POSTAGE_FORTRAN_STARTED_SENDS(X, rsend_init, RSEND_INIT, kRsend_init)                                                \
  POSTAGE_FORTRAN_STARTED_RECEIVES(X, irecv, IRECV, kIrecv)                                                            \
  POSTAGE_FORTRAN_STARTED_RECEIVES(X, recv_init, RECV_INIT, kRecv_init)                                                \
  X(recv, RECV, (void* buffer, int* count, int* type, int* source, int* tag, int* comm, int* wanted, int* error),      \
    (buffer, count, type, source, tag, comm, status.get(), &result), const FortranStatus status(wanted);,              \
    observe_message({Entry::kRecv, PMPI_Comm_f2c(*comm), MPI_PROC_NULL, status.source(), status.tag(), 0,              \
                     status.bytes()}, began))                                                                          \
  X(sendrecv, SENDRECV, (void* send, int* send_count, int* send_type, int* target, int* send_tag, void* receive,       \
                         int* receive_count, int* receive_type, int* source, int* receive_tag, int* comm, int* wanted, \
                         int* error),                                                                                  \
    (send, send_count, send_type, target, send_tag, receive, receive_count, receive_type, source, receive_tag, comm,   \
     status.get(), &result), const FortranStatus status(wanted);,                                                      \
    observe_message({Entry::kSendrecv, PMPI_Comm_f2c(*comm), *target, status.source(), *send_tag,                      \
                     bytes_of_fortran(*send_count, *send_type), status.bytes()}, began))                               \
  X(sendrecv_replace, SENDRECV_REPLACE, (void* buffer, int* count, int* type, int* target, int* send_tag, int* source, \
                                         int* receive_tag, int* comm, int* wanted, int* error),                        \
    (buffer, count, type, target, send_tag, source, receive_tag, comm, status.get(), &result),                         \
    const FortranStatus status(wanted);,                                                                               \
    observe_message({Entry::kSendrecv_replace, PMPI_Comm_f2c(*comm), *target, status.source(), *send_tag,              \
                     bytes_of_fortran(*count, *type), status.bytes()}, began))                                         \
  X(probe, PROBE, (int* source, int* tag, int* comm, int* wanted, int* error),                                         \
    (source, tag, comm, status.get(), &result), const FortranStatus status(wanted);,                                   \
    observe_message({Entry::kProbe, PMPI_Comm_f2c(*comm), MPI_PROC_NULL, status.source(), status.tag(), 0,             \
                     status.bytes()}, began))

#define POSTAGE_FORTRAN_BEFORE(COUNT) const auto before = requests_of(request, COUNT);
#define POSTAGE_FORTRAN_REQUESTS(X)                                                                                    \
  X(start, START, (int* request, int* error), (request, &result), ,                                                    \
    observe_requests(Entry::kStart, began, requests_of(request, 1)))                                                   \
  X(startall, STARTALL, (int* count, int* request, int* error), (count, request, &result), ,                           \
    observe_requests(Entry::kStartall, began, requests_of(request, *count)))                                           \
  X(request_free, REQUEST_FREE, (int* request, int* error), (request, &result), POSTAGE_FORTRAN_BEFORE(1),             \
    observe_requests(Entry::kRequest_free, began, before))                                                             \
  X(wait, WAIT, (int* request, int* status, int* error), (request, status, &result), POSTAGE_FORTRAN_BEFORE(1),        \
    observe_requests(Entry::kWait, began, before))                                                                     \
  X(waitall, WAITALL, (int* count, int* request, int* statuses, int* error), (count, request, statuses, &result),      \
    POSTAGE_FORTRAN_BEFORE(*count), observe_requests(Entry::kWaitall, began, before))                                  \
  X(waitany, WAITANY, (int* count, int* request, int* index, int* status, int* error),                                 \
    (count, request, index, status, &result), POSTAGE_FORTRAN_BEFORE(*count),                                          \
    observe_requests(Entry::kWaitany, began, chosen(before, index, 1)))                                                \
  X(waitsome, WAITSOME, (int* count, int* request, int* completed, int* indices, int* statuses, int* error),           \
    (count, request, completed, indices, statuses, &result), POSTAGE_FORTRAN_BEFORE(*count),                           \
    observe_requests(Entry::kWaitsome, began, chosen(before, indices, *completed)))                                    \
  X(test, TEST, (int* request, int* flag, int* status, int* error), (request, flag, status, &result),                  \
    POSTAGE_FORTRAN_BEFORE(1), observe_requests(Entry::kTest, began, if_done(before, *flag)))                          \
  X(testall, TESTALL, (int* count, int* request, int* flag, int* statuses, int* error),                                \
    (count, request, flag, statuses, &result), POSTAGE_FORTRAN_BEFORE(*count),                                         \
    observe_requests(Entry::kTestall, began, if_done(before, *flag)))                                                  \
  X(testany, TESTANY, (int* count, int* request, int* index, int* flag, int* status, int* error),                      \
    (count, request, index, flag, status, &result), POSTAGE_FORTRAN_BEFORE(*count),                                    \
    observe_requests(Entry::kTestany, began, chosen(before, index, *flag != 0 ? 1 : 0)))                               \
  X(testsome, TESTSOME, (int* count, int* request, int* completed, int* indices, int* statuses, int* error),           \
    (count, request, completed, indices, statuses, &result), POSTAGE_FORTRAN_BEFORE(*count),                           \
    observe_requests(Entry::kTestsome, began, chosen(before, indices, *completed)))

#define POSTAGE_FORTRAN_STARTED(ENTRY, ROOT, BYTES)                                                                    \
  observe_message({Entry::ENTRY, PMPI_Comm_f2c(*comm), ROOT, MPI_PROC_NULL, -1, BYTES}, began, requests_of(request, 1))
#define POSTAGE_FORTRAN_STARTED_COLLECTIVES(X)                                                                         \
  X(ibarrier, IBARRIER, (int* comm, int* request, int* error), (comm, request, &result), ,                             \
    POSTAGE_FORTRAN_STARTED(kIbarrier, MPI_PROC_NULL, 0))                                                              \
  X(ibcast, IBCAST, (void* buffer, int* count, int* type, int* root, int* comm, int* request, int* error),             \
    (buffer, count, type, root, comm, request, &result), ,                                                             \
    POSTAGE_FORTRAN_STARTED(kIbcast, *root, bytes_of_fortran(*count, *type)))                                          \
  X(iallreduce, IALLREDUCE, (void* send, void* receive, int* count, int* type, int* op, int* comm, int* request,       \
                             int* error), (send, receive, count, type, op, comm, request, &result), ,                  \
    POSTAGE_FORTRAN_STARTED(kIallreduce, MPI_PROC_NULL, bytes_of_fortran(*count, *type)))                              \
  X(ireduce, IREDUCE, (void* send, void* receive, int* count, int* type, int* op, int* root, int* comm, int* request,  \
                       int* error), (send, receive, count, type, op, root, comm, request, &result), ,                  \
    POSTAGE_FORTRAN_STARTED(kIreduce, *root, bytes_of_fortran(*count, *type)))                                         \
  X(iallgather, IALLGATHER, (void* send, int* send_count, int* send_type, void* receive, int* count, int* type,        \
                             int* comm, int* request, int* error),                                                     \
    (send, send_count, send_type, receive, count, type, comm, request, &result), ,                                     \
    POSTAGE_FORTRAN_STARTED(kIallgather, MPI_PROC_NULL, bytes_of_fortran(*count, *type)))                              \
  X(ialltoall, IALLTOALL, (void* send, int* send_count, int* send_type, void* receive, int* count, int* type,          \
                           int* comm, int* request, int* error),                                                       \
    (send, send_count, send_type, receive, count, type, comm, request, &result), ,                                     \
    POSTAGE_FORTRAN_STARTED(kIalltoall, MPI_PROC_NULL, bytes_of_fortran(*count, *type)))                               \
  X(igather, IGATHER, (void* send, int* count, int* type, void* receive, int* receive_count, int* receive_type,        \
                       int* root, int* comm, int* request, int* error),                                                \
    (send, count, type, receive, receive_count, receive_type, root, comm, request, &result), ,                         \
    POSTAGE_FORTRAN_STARTED(kIgather, *root, bytes_of_fortran(*count, *type)))                                         \
  X(iscatter, ISCATTER, (void* send, int* send_count, int* send_type, void* receive, int* count, int* type, int* root, \
                         int* comm, int* request, int* error),                                                         \
    (send, send_count, send_type, receive, count, type, root, comm, request, &result), ,                               \
    POSTAGE_FORTRAN_STARTED(kIscatter, *root, bytes_of_fortran(*count, *type)))

#define POSTAGE_FORTRAN_OBSERVED(X) \
  POSTAGE_FORTRAN_MESSAGES(X) POSTAGE_FORTRAN_REQUESTS(X) POSTAGE_FORTRAN_STARTED_COLLECTIVES(X)
// clang-format on
