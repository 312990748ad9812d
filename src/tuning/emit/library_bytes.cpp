#include <postage/tuning/emit.hpp>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

Bytes times(Rank ranks, Bytes bytes) {
  constexpr Bytes kMost = std::numeric_limits<Bytes>::max();
  return bytes > kMost / std::max<Rank>(ranks, 1) ? kMost : bytes * ranks;
}

bool has_block_for_each_rank(Collective collective) {
  return collective == Collective::kAllgather || collective == Collective::kAlltoall ||
         collective == Collective::kGather || collective == Collective::kScatter;
}

// coll_tuned_decision_dynamic.c
Bytes open_mpi_bytes(Collective collective, Rank ranks, Bytes bytes, Bytes element_bytes) {
  if (collective == Collective::kBarrier) {
    return 0;
  }
  if (collective == Collective::kScan || collective == Collective::kExscan) {
    return times(ranks, element_bytes);
  }
  return has_block_for_each_rank(collective) ? times(ranks, bytes) : bytes;
}

// csel.c: avg_msg_size where it is defined, total_msg_size elsewhere; the latter counts elements for gather and
// scatter.
Bytes mpich_bytes(Collective collective, Rank ranks, Bytes bytes, Bytes element_bytes) {
  switch (collective) {
    case Collective::kBarrier:
    case Collective::kScan:
    case Collective::kExscan:
      return 0;
    case Collective::kAllgather:
      return times(ranks, bytes);
    case Collective::kGather:
    case Collective::kScatter:
      return times(ranks, bytes / std::max<Bytes>(element_bytes, 1));
    default:
      return bytes;
  }
}

// ucc_coll_args_msgsize in ucc_coll_utils.c
Bytes ucc_bytes(Collective collective, Rank ranks, Bytes bytes) {
  if (collective == Collective::kBarrier) {
    return 0;
  }
  if (collective == Collective::kReduceScatter) {
    return bytes / std::max<Rank>(ranks, 1);
  }
  return has_block_for_each_rank(collective) ? times(ranks, bytes) : bytes;
}

}  // namespace

Bytes library_bytes(TuningTarget target, Collective collective, Rank ranks, Bytes bytes, Bytes element_bytes) {
  switch (target) {
    case TuningTarget::kOpenMpi:
      return open_mpi_bytes(collective, ranks, bytes, element_bytes);
    case TuningTarget::kMpich:
      return mpich_bytes(collective, ranks, bytes, element_bytes);
    case TuningTarget::kUcc:
      return ucc_bytes(collective, ranks, bytes);
    default:
      return collective == Collective::kBarrier ? 0 : bytes;
  }
}

}  // namespace postage
