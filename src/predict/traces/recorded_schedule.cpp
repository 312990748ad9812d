#include "predict/traces/recorded_schedule.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <array>

namespace postage {
namespace {

struct RecordedName {
  std::string_view name;
  Collective collective;
  /// The block of each rank is known to that rank alone: what it sends, or what it receives.
  bool sends_blocks = false;
  bool receives_blocks = false;
};

constexpr std::array kNames{RecordedName{"barrier", Collective::kBarrier},
                            RecordedName{"bcast", Collective::kBcast},
                            RecordedName{"reduce", Collective::kReduce},
                            RecordedName{"allreduce", Collective::kAllreduce},
                            RecordedName{"allgather", Collective::kAllgather},
                            RecordedName{"allgatherv", Collective::kAllgather, true, false},
                            RecordedName{"gather", Collective::kGather},
                            RecordedName{"gatherv", Collective::kGather, true, false},
                            RecordedName{"scatter", Collective::kScatter},
                            RecordedName{"scatterv", Collective::kScatter, false, true},
                            RecordedName{"alltoall", Collective::kAlltoall},
                            RecordedName{"alltoallv", Collective::kAlltoall},
                            RecordedName{"reduce_scatter", Collective::kReduceScatter, false, true},
                            RecordedName{"reduce_scatter_block", Collective::kReduceScatter},
                            RecordedName{"scan", Collective::kScan},
                            RecordedName{"exscan", Collective::kExscan}};

const RecordedName& find_name(std::string_view name) {
  for (const RecordedName& row : kNames) {
    if (row.name == name || (name.substr(0, 1) == "i" && row.name == name.substr(1))) {
      return row;
    }
  }
  throw Error(fmt::format("{} is no collective", name));
}

/// Where libraries change from an algorithm of few messages to one of few bytes.
constexpr Bytes kLarge = 64 << 10;

std::vector<std::string_view> usual_algorithms(Collective collective, Bytes bytes) {
  switch (collective) {
    case Collective::kBarrier:
      return {"dissemination"};
    case Collective::kAllreduce:
      return {bytes < kLarge ? "recursive-doubling" : "rabenseifner", "ring"};
    case Collective::kAllgather:
      return {bytes < kLarge ? "bruck" : "ring"};
    case Collective::kAlltoall:
      return {"pairwise", "linear"};
    case Collective::kReduceScatter:
      return {"recursive-halving", "ring", "pairwise"};
    default:
      return {"binomial", "recursive-doubling"};
  }
}

/// The first of the usual ones that can do it, else the first of all that can.
Schedule usual_schedule(Collective collective, const ScheduleRequest& request) {
  std::vector<const Algorithm*> candidates;
  for (const std::string_view name : usual_algorithms(collective, request.bytes)) {
    for (const Algorithm& algorithm : algorithms_of(collective)) {
      if (algorithm.name == name) {
        candidates.push_back(&algorithm);
      }
    }
  }
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    candidates.push_back(&algorithm);
  }
  for (const Algorithm* algorithm : candidates) {
    if (can_do(*algorithm, request.ranks)) {
      return build_schedule(*algorithm, request);
    }
  }
  throw Error(fmt::format("no algorithm of {} can do {} ranks", name_of(collective), request.ranks));
}

std::vector<Bytes> block_bytes(const RecordedName& name, std::span<const RecordedCall* const> calls) {
  std::vector<Bytes> blocks;
  for (const RecordedCall* call : calls) {
    if (name.sends_blocks || name.receives_blocks) {
      blocks.push_back(name.sends_blocks ? call->bytes : call->received_bytes);
    } else if (name.name == "alltoallv") {
      blocks.insert(blocks.end(), call->bytes_by_rank.begin(), call->bytes_by_rank.end());
    }
  }
  return blocks;
}

void check_calls(std::span<const RecordedCall* const> calls) {
  for (const RecordedCall* call : calls) {
    if (call->name != calls.front()->name) {
      throw Error(
          fmt::format("one rank of a communicator calls {} where another calls {}", calls.front()->name, call->name));
    }
    if (call->name == "alltoallv" && call->bytes_by_rank.size() != calls.size()) {
      throw Error(fmt::format("an alltoallv of {} ranks has {} sizes", calls.size(), call->bytes_by_rank.size()));
    }
  }
}

}  // namespace

Schedule recorded_schedule(std::span<const RecordedCall* const> calls, Rank root) {
  check_calls(calls);
  const RecordedCall& first = *calls.front();
  const RecordedName& name = find_name(first.name);
  ScheduleRequest request{.ranks = static_cast<Rank>(calls.size()), .root = has_root(name.collective) ? root : 0};
  request.block_bytes = block_bytes(name, calls);
  if (request.block_bytes.empty()) {
    request.bytes = name.name == "reduce_scatter_block" ? first.bytes * request.ranks : first.bytes;
  }
  return usual_schedule(name.collective, request);
}

}  // namespace postage
