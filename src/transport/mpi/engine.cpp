#include "transport/mpi/engine.hpp"

#include "transport/mpi/check.hpp"
#include "transport/mpi/mpi_reduction.hpp"

#include <postage/base/error.hpp>

#include <algorithm>

namespace postage {
namespace {

/// Programs kept, and their scratch memory.
constexpr std::size_t kMostPrograms = 128;
constexpr Bytes kMostKeptBytes = Bytes{1} << 24;

MPI_Comm one_group(MPI_Comm communicator) {
  int joins_two = 0;
  check(MPI_Comm_test_inter(communicator, &joins_two), "looking at a communicator");
  if (joins_two != 0) {
    throw UsageError("the communicator joins two groups; the collectives need one group");
  }
  return communicator;
}

/// The rank that gives a block, and the one that wants it.
Rank giver_of(const Schedule& schedule, Index block) {
  switch (schedule.collective) {
    case Collective::kScatter:
      return schedule.root;
    case Collective::kAlltoall:
      return static_cast<Rank>(block / schedule.ranks);
    default:
      return static_cast<Rank>(block);
  }
}

Rank wanter_of(const Schedule& schedule, Index block) {
  switch (schedule.collective) {
    case Collective::kGather:
      return schedule.root;
    case Collective::kAlltoall:
      return static_cast<Rank>(block % schedule.ranks);
    default:
      return static_cast<Rank>(block);
  }
}

/// O(blocks of all messages).
bool passes_on_blocks(const Schedule& schedule) {
  bool passes_on = false;
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& transfer) {
    for_each_run(transfer.pattern->blocks, transfer.virtual_position, [&](BlockRun run) {
      for (Index block = run.first; block < run.first + run.count; ++block) {
        passes_on =
            passes_on || giver_of(schedule, block) != transfer.source || wanter_of(schedule, block) != transfer.target;
      }
    });
  });
  return passes_on;
}

}  // namespace

MpiCollectives::Engine::Engine(MPI_Comm communicator) : transport_(one_group(communicator)) {}

void MpiCollectives::Engine::run(const MpiCall& call, const CollectiveChoice& choice) {
  static const TypedShape nothing;
  RankProgram& program = program_for(call, choice);
  const GivenBytes given(call.given_at, call.one_buffer ? nothing : call.given);
  const WantedBytes wanted(call.wanted_at, call.one_buffer ? call.given : nothing, call.wanted);
  const Reduction reduction = call.op == MPI_OP_NULL ? Reduction{} : mpi_reduction(call.op, call.given.type);
  program.run(transport_, {given.get(), wanted.get()}, reduction);
  wanted.deliver();
}

RankProgram& MpiCollectives::Engine::program_for(const MpiCall& call, const CollectiveChoice& choice) {
  ScheduleRequest request = call.request;
  request.ranks = ranks();
  request.commutative = call.op == MPI_OP_NULL || is_commutative(call.op);
  request.segment_bytes = choice.segment_bytes;
  request.parameters = choice.parameters;
  const Algorithm& algorithm = find_algorithm(call.collective, choice.algorithm);
  Key key{&algorithm,          request.root,  request.bytes,      request.element_bytes, request.segment_bytes,
          request.commutative, call.in_place, request.parameters, request.block_bytes};
  if (const auto found = programs_.find(key); found != programs_.end()) {
    return found->second;
  }
  return keep(std::move(key), RankProgram(build_schedule(algorithm, request), rank(),
                                          {.in_place = call.in_place, .commutative = request.commutative}));
}

RankProgram& MpiCollectives::Engine::keep(Key key, RankProgram program) {
  if (programs_.size() >= kMostPrograms || kept_bytes_ + program.scratch_bytes() > kMostKeptBytes) {
    programs_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += program.scratch_bytes();
  return programs_.emplace(std::move(key), std::move(program)).first->second;
}

bool MpiCollectives::Engine::needs_all_sizes(Collective collective, const CollectiveChoice& choice) {
  const Algorithm& algorithm = find_algorithm(collective, choice.algorithm);
  if (algorithm.segmentable && choice.segment_bytes > 0) {
    return true;
  }
  const auto [entry, is_new] = passes_on_.try_emplace({&algorithm, choice.parameters}, false);
  if (is_new) {
    entry->second =
        passes_on_blocks(build_schedule(algorithm, {.ranks = ranks(), .bytes = 1, .parameters = choice.parameters}));
  }
  return entry->second;
}

void MpiCollectives::Engine::share(std::vector<Bytes>& values, Rank root) {
  const auto bytes = static_cast<Bytes>(values.size() * sizeof(Bytes));
  MpiCall call{.collective = Collective::kBcast, .request = {.root = root, .bytes = bytes}, .wanted_at = values.data()};
  const TypedShape shape = TypedShape::of(MpiType(MPI_BYTE), bytes);
  call.one_buffer = rank() == root;
  (call.one_buffer ? call.given : call.wanted) = shape;
  run(call, {.algorithm = "binomial"});
}

void MpiCollectives::Engine::share_rows(std::vector<Bytes>& values) {
  const Bytes row_bytes = static_cast<Bytes>(values.size() * sizeof(Bytes)) / ranks();
  const auto candidates = algorithms_of(Collective::kAllgather);
  const auto any = std::find_if(candidates.begin(), candidates.end(),
                                [&](const Algorithm& algorithm) { return can_do(algorithm, ranks()); });
  if (any == candidates.end()) {
    throw Error("no allgather can share the sizes of an alltoall's blocks");
  }
  const TypedShape all = TypedShape::of(MpiType(MPI_BYTE), row_bytes * ranks());
  run({.collective = Collective::kAllgather,
       .request = {.bytes = row_bytes},
       .given = all,
       .wanted_at = values.data(),
       .wanted = all,
       .in_place = true,
       .one_buffer = true},
      {.algorithm = any->name});
}

}  // namespace postage
