#include "calls.hpp"

#include <algorithm>

namespace postage {
namespace {

struct Api {
  decltype(&MPI_Barrier) barrier;
  decltype(&MPI_Bcast) bcast;
  decltype(&MPI_Reduce) reduce;
  decltype(&MPI_Allreduce) allreduce;
  decltype(&MPI_Gather) gather;
  decltype(&MPI_Gatherv) gatherv;
  decltype(&MPI_Scatter) scatter;
  decltype(&MPI_Scatterv) scatterv;
  decltype(&MPI_Allgather) allgather;
  decltype(&MPI_Allgatherv) allgatherv;
  decltype(&MPI_Alltoall) alltoall;
  decltype(&MPI_Alltoallv) alltoallv;
  decltype(&MPI_Reduce_scatter) reduce_scatter;
  decltype(&MPI_Reduce_scatter_block) reduce_scatter_block;
  decltype(&MPI_Scan) scan;
  decltype(&MPI_Exscan) exscan;
};

constexpr Api kProgramApi{MPI_Barrier,        MPI_Bcast,
                          MPI_Reduce,         MPI_Allreduce,
                          MPI_Gather,         MPI_Gatherv,
                          MPI_Scatter,        MPI_Scatterv,
                          MPI_Allgather,      MPI_Allgatherv,
                          MPI_Alltoall,       MPI_Alltoallv,
                          MPI_Reduce_scatter, MPI_Reduce_scatter_block,
                          MPI_Scan,           MPI_Exscan};
constexpr Api kProfilingApi{PMPI_Barrier,        PMPI_Bcast,
                            PMPI_Reduce,         PMPI_Allreduce,
                            PMPI_Gather,         PMPI_Gatherv,
                            PMPI_Scatter,        PMPI_Scatterv,
                            PMPI_Allgather,      PMPI_Allgatherv,
                            PMPI_Alltoall,       PMPI_Alltoallv,
                            PMPI_Reduce_scatter, PMPI_Reduce_scatter_block,
                            PMPI_Scan,           PMPI_Exscan};

int invoke_reducing(const Api& api, Call call, const Arguments& a) {
  const int count = a.sent.count();
  switch (call) {
    case Call::kReduce:
      return api.reduce(a.send, a.receive, count, a.sent.type, a.op, a.root, a.comm);
    case Call::kAllreduce:
      return api.allreduce(a.send, a.receive, count, a.sent.type, a.op, a.comm);
    case Call::kReduceScatter:
      return api.reduce_scatter(a.send, a.receive, a.received.counts.data(), a.sent.type, a.op, a.comm);
    case Call::kReduceScatterBlock:
      return api.reduce_scatter_block(a.send, a.receive, a.received.count(), a.sent.type, a.op, a.comm);
    case Call::kScan:
      return api.scan(a.send, a.receive, count, a.sent.type, a.op, a.comm);
    case Call::kExscan:
      return api.exscan(a.send, a.receive, count, a.sent.type, a.op, a.comm);
    default:
      return MPI_ERR_INTERN;
  }
}

int invoke_rooted(const Api& api, Call call, const Arguments& a) {
  const Part& s = a.sent;
  const Part& r = a.received;
  switch (call) {
    case Call::kBcast:
      return api.bcast(a.receive, r.count(), r.type, a.root, a.comm);
    case Call::kGather:
      return api.gather(a.send, s.count(), s.type, a.receive, r.count(), r.type, a.root, a.comm);
    case Call::kGatherv:
      return api.gatherv(a.send, s.count(), s.type, a.receive, r.counts.data(), r.displacements.data(), r.type, a.root,
                         a.comm);
    case Call::kScatter:
      return api.scatter(a.send, s.count(), s.type, a.receive, r.count(), r.type, a.root, a.comm);
    case Call::kScatterv:
      return api.scatterv(a.send, s.counts.data(), s.displacements.data(), s.type, a.receive, r.count(), r.type, a.root,
                          a.comm);
    default:
      return invoke_reducing(api, call, a);
  }
}

int invoke_by(const Api& api, Call call, const Arguments& a) {
  const Part& s = a.sent;
  const Part& r = a.received;
  switch (call) {
    case Call::kBarrier:
      return api.barrier(a.comm);
    case Call::kAllgather:
      return api.allgather(a.send, s.count(), s.type, a.receive, r.count(), r.type, a.comm);
    case Call::kAllgatherv:
      return api.allgatherv(a.send, s.count(), s.type, a.receive, r.counts.data(), r.displacements.data(), r.type,
                            a.comm);
    case Call::kAlltoall:
      return api.alltoall(a.send, s.count(), s.type, a.receive, r.count(), r.type, a.comm);
    case Call::kAlltoallv:
      return api.alltoallv(a.send, s.counts.data(), s.displacements.data(), s.type, a.receive, r.counts.data(),
                           r.displacements.data(), r.type, a.comm);
    default:
      return invoke_rooted(api, call, a);
  }
}

}  // namespace

std::string_view name_of(Call call) {
  constexpr std::array<std::string_view, 16> names{"MPI_Barrier",        "MPI_Bcast",
                                                   "MPI_Reduce",         "MPI_Allreduce",
                                                   "MPI_Gather",         "MPI_Gatherv",
                                                   "MPI_Scatter",        "MPI_Scatterv",
                                                   "MPI_Allgather",      "MPI_Allgatherv",
                                                   "MPI_Alltoall",       "MPI_Alltoallv",
                                                   "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
                                                   "MPI_Scan",           "MPI_Exscan"};
  return names.at(static_cast<std::size_t>(call));
}

bool has_root(Call call) {
  constexpr std::array rooted{Call::kBcast,   Call::kReduce,  Call::kGather,
                              Call::kGatherv, Call::kScatter, Call::kScatterv};
  return std::find(rooted.begin(), rooted.end(), call) != rooted.end();
}

int Part::end() const {
  int end = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    end = std::max(end, displacements[i] + counts[i]);
  }
  return end;
}

int invoke(Names names, Call call, const Arguments& arguments) {
  return invoke_by(names == Names::kProgram ? kProgramApi : kProfilingApi, call, arguments);
}

}  // namespace postage
