#include "preload/replace.hpp"

#include "preload/decisions_file.hpp"
#include "preload/replacements.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace postage::preload {
namespace {

bool carry_out(Communicator& communicator, const CollectiveCall& call) {
  const Context on{communicator.node->direct(), communicator.node->across(), communicator.rank, communicator.ranks,
                   communicator.decisions};
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

}  // namespace

const char* replace(Communicator& communicator, const CollectiveCall& call) {
  try {
    const char* const algorithm = communicator.node->across() != nullptr ? "node-aware" : "direct";
    return carry_out(communicator, call) ? algorithm : nullptr;
  } catch (const std::exception& failure) {
    // No memory, within a collective that other ranks wait in.
    std::fprintf(stderr, "postage: %s\n", failure.what());
    std::abort();
  }
}

void agree_on_group(Communicator& communicator) {
  if (communicator.ranks > 1 && !communicator.is_intercommunicator && !are_decisions_missing()) {
    communicator.node = NodeGroup::agree(communicator.handle, communicator.rank, communicator.ranks);
  }
  if (communicator.node) {
    communicator.decisions = decisions_for({.ranks = communicator.ranks,
                                            .nodes = communicator.node->nodes(),
                                            .single_copy = communicator.node->direct().has_single_copy(),
                                            .more_ranks_than_cores = job().more_ranks_than_cores});
  }
  for (std::size_t entry = 0; job().observer == nullptr && entry < communicator.passes_below.size(); ++entry) {
    communicator.passes_below[entry] = communicator.decisions.least(static_cast<Entry>(entry));
  }
}

}  // namespace postage::preload
