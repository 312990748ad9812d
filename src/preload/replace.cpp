#include "preload/replace.hpp"

#include "preload/files/decisions_file.hpp"
#include "preload/replacements.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace postage::preload {
namespace {

bool carry_out(const Context& on, const CollectiveCall& call) {
  switch (call.entry) {
    case Entry::kBarrier:
      return replace_barrier(on);
    case Entry::kBcast:
      return replace_bcast(on, call);
    case Entry::kReduce:
    case Entry::kAllreduce:
    case Entry::kScan:
    case Entry::kExscan:
    case Entry::kReduce_scatter:
    case Entry::kReduce_scatter_block:
      return replace_reduction(on, call);
    case Entry::kGather:
    case Entry::kAllgather:
      return replace_gathering(on, call);
    case Entry::kGatherv:
    case Entry::kAllgatherv:
      return replace_irregular_gathering(on, call);
    case Entry::kScatter:
    case Entry::kAlltoall:
      return replace_scattering(on, call);
    case Entry::kScatterv:
    case Entry::kAlltoallv:
      return replace_irregular_scattering(on, call);
    default:
      return false;
  }
}

void find_ways(Communicator& communicator) {
  if (!are_decisions_missing()) {
    communicator.node = NodeGroup::agree(communicator.handle, communicator.rank, communicator.ranks);
  }
  if (communicator.node) {
    communicator.decisions = decisions_for(communicator.node->shape());
  }
  communicator.trees = TreeSchedules::agree(communicator.handle, communicator.rank);
  if (communicator.trees) {
    for (const Entry entry : communicator.trees->entries()) {
      communicator.decisions.look_at(entry);
    }
  } else if (communicator.node && are_probed(communicator.node->shape())) {
    communicator.selector =
        std::make_unique<Selector>(communicator.handle, communicator.node->shape(), world_ranks_of(communicator));
  }
}

/// Of ranks that were started by others, or have connected to them, nobody knows what they agreed on in MPI_Init, nor
/// whether they have this library at all.
bool is_within_world(const Communicator& communicator) {
  const std::vector<int> members = world_ranks_of(communicator);
  return std::find(members.begin(), members.end(), MPI_UNDEFINED) == members.end();
}

/// Whether the library has refused the call at once, before any message.
bool is_argument_error(int result) {
  int error = MPI_SUCCESS;
  if (result != MPI_SUCCESS) {
    PMPI_Error_class(result, &error);
  }
  constexpr std::array kOfArguments{MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_COMM,
                                    MPI_ERR_ROOT,   MPI_ERR_OP,    MPI_ERR_ARG};
  return std::find(kOfArguments.begin(), kOfArguments.end(), error) != kOfArguments.end();
}

/// Calls that surely pass through are told from others at a glance, where none of them is to be observed.
void note_passed(Communicator& communicator) {
  if (communicator.selector) {
    communicator.selector->note_passed(communicator.decisions);
  }
  for (std::size_t entry = 0; job().observer == nullptr && entry < communicator.passed.size(); ++entry) {
    communicator.passed[entry] = communicator.decisions.passed(static_cast<Entry>(entry));
  }
}

/// The first rank's, which no other communicator that it is the first rank of has.
std::uint64_t agree_on_number(const Communicator& communicator) {
  std::uint64_t number = static_cast<std::uint64_t>(communicator.world_ranks.front()) << 32 | communicator.number;
  return PMPI_Bcast(&number, 1, MPI_UINT64_T, 0, communicator.handle) == MPI_SUCCESS ? number : 0;
}

void agree_on_group(Communicator& communicator) {
  if (communicator.ranks > 1 && !communicator.is_intercommunicator && is_within_world(communicator)) {
    if (job().observer != nullptr) {
      communicator.common_number = agree_on_number(communicator);
    }
    find_ways(communicator);
  }
  note_passed(communicator);
}

}  // namespace

const char* replace(Communicator& communicator, const CollectiveCall& call) {
  try {
    NodeGroup* const node = communicator.node.get();
    const Context on{.direct = node != nullptr ? &node->direct() : nullptr,
                     .across = node != nullptr ? node->across() : nullptr,
                     .trees = communicator.trees.get(),
                     .selector = communicator.selector.get(),
                     .rank = communicator.rank,
                     .ranks = communicator.ranks,
                     .decisions = communicator.decisions};
    return carry_out(on, call) ? on.algorithm : nullptr;
  } catch (const std::exception& failure) {
    // No memory, within a collective that other ranks wait in.
    std::fprintf(stderr, "postage: %s\n", failure.what());
    std::abort();
  }
}

int count_call(Communicator& communicator, int result) {
  if (!is_argument_error(result) && ++communicator.calls == kUsesBeforeGroup) {
    agree_on_group(communicator);
  }
  return result;
}

void end_probe(Communicator& communicator) {
  if (communicator.selector->end_probe()) {
    note_passed(communicator);
  }
}

}  // namespace postage::preload
