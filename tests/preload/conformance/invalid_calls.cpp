#include "invalid_calls.hpp"

#include "calls.hpp"

#include <array>
#include <functional>

namespace postage {
namespace {

int handled = 0;

void count_error(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++handled;
}

/// A valid call that one of the tests below spoils.
struct ValidCall {
  std::array<int, 64> send{};
  std::array<int, 64> receive{};
  Arguments arguments;

  explicit ValidCall(MPI_Comm comm) {
    arguments = {.send = send.data(),
                 .receive = receive.data(),
                 .sent = {{2}, {0}, MPI_INT},
                 .received = {{2}, {0}, MPI_INT},
                 .op = MPI_SUM,
                 .root = 0,
                 .comm = comm};
  }
};

struct InvalidCall {
  std::string name;
  Call call;
  std::function<void(Arguments&)> spoil;
};

/// MPICH 4.0.2 runs into its own assertions elsewhere.
bool checks_counts([[maybe_unused]] Call call) {
#ifdef MPICH_VERSION
  return call == Call::kBcast;
#else
  return true;
#endif
}

std::vector<InvalidCall> invalid_calls() {
  std::vector<InvalidCall> calls;
  for (const Call call : {Call::kBcast, Call::kReduce, Call::kAllreduce, Call::kScan, Call::kExscan, Call::kGather,
                          Call::kScatter, Call::kAllgather, Call::kAlltoall}) {
    const std::string name(name_of(call));
    if (checks_counts(call)) {
      calls.push_back({name + " of -1 elements", call, [](Arguments& a) { a.sent.counts = a.received.counts = {-1}; }});
    }
    calls.push_back(
        {name + " without a type", call, [](Arguments& a) { a.sent.type = a.received.type = MPI_DATATYPE_NULL; }});
    if (has_root(call)) {
      calls.push_back({name + " from root -5", call, [](Arguments& a) { a.root = -5; }});
      calls.push_back({name + " from root 1000", call, [](Arguments& a) { a.root = 1000; }});
    }
  }
  for (const Call call : {Call::kReduce, Call::kAllreduce, Call::kReduceScatterBlock, Call::kScan, Call::kExscan}) {
    const std::string name(name_of(call));
    calls.push_back({name + " without an operation", call, [](Arguments& a) { a.op = MPI_OP_NULL; }});
  }
  for (const int stride : {1, 2}) {
    MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, stride, MPI_INT, &uncommitted);
    calls.push_back({"MPI_Bcast of a type that is not committed", Call::kBcast,
                     [uncommitted](Arguments& a) { a.received.type = uncommitted; }});
  }
  calls.push_back({"MPI_Allreduce of doubles, bitwise and", Call::kAllreduce, [](Arguments& a) {
                     a.sent.type = a.received.type = MPI_DOUBLE;
                     a.op = MPI_BAND;
                   }});
  return calls;
}

struct Outcome {
  int error_class = MPI_SUCCESS;
  int handled = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(Names names, const InvalidCall& invalid, MPI_Comm comm) {
  ValidCall valid(comm);
  invalid.spoil(valid.arguments);
  const int before = handled;
  const int code = invoke(names, invalid.call, valid.arguments);
  Outcome outcome{.handled = handled - before};
  MPI_Error_class(code, &outcome.error_class);
  return outcome;
}

}  // namespace

void check_invalid_calls(Mistakes& mistakes) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  for (int i = 0; i < 10; ++i) {
    MPI_Barrier(comm);  // often enough that a preloaded library has taken the communicator over
  }
  for (const InvalidCall& invalid : invalid_calls()) {
    const Outcome ours = outcome_of(Names::kProgram, invalid, comm);
    const Outcome theirs = outcome_of(Names::kProfiling, invalid, comm);
    mistakes.note(invalid.name, ours == theirs
                                    ? std::nullopt
                                    : std::optional("error class " + std::to_string(ours.error_class) + ", handled " +
                                                    std::to_string(ours.handled) +
                                                    " times; the library's: " + std::to_string(theirs.error_class) +
                                                    ", " + std::to_string(theirs.handled)));
  }
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

}  // namespace postage
