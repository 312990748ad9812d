#include "tuning/libraries/lists.hpp"

namespace postage::library_lists {

// Values of MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM: src/mpi/coll/cvars.txt. "nb+..." are those of MPI_I<collective>, to
// which the value nb hands a blocking call.
std::vector<LibraryAlgorithm> mpich() {
  using enum Collective;
  using enum LibraryRankRule;
  constexpr LibraryVersion kFourOne{4, 1, 0};
  return {
      {.collective = kBarrier, .ours = "dissemination", .name = "dissemination", .before = kFourOne},
      {.collective = kBarrier, .ours = "dissemination", .name = "k_dissemination", .since = kFourOne},
      {.collective = kBcast, .ours = "binomial", .name = "binomial"},
      {.collective = kBcast,
       .ours = "scatter-rd-allgather",
       .name = "scatter_recursive_doubling_allgather",
       .least_elements_per_rank = 1},
      {.collective = kBcast,
       .ours = "scatter-ring-allgather",
       .name = "scatter_ring_allgather",
       .least_elements_per_rank = 1},
      {.collective = kBcast, .ours = "", .name = "smp"},
      {.collective = kBcast, .ours = "pipeline", .name = "nb+tsp_ring", .takes_segment = true},
      {.collective = kBcast,
       .ours = "knomial",
       .name = "nb+tsp_tree+knomial_1",
       .takes_segment = true,
       .fan_out = "radix"},
      {.collective = kReduce, .ours = "binomial", .name = "binomial"},
      {.collective = kReduce, .ours = "rabenseifner", .name = "reduce_scatter_gather", .least_elements_per_rank = 1},
      {.collective = kReduce, .ours = "", .name = "smp"},
      {.collective = kAllreduce, .ours = "recursive-doubling", .name = "recursive_doubling"},
      {.collective = kAllreduce,
       .ours = "rabenseifner",
       .name = "reduce_scatter_allgather",
       .least_elements_per_rank = 1},
      {.collective = kAllreduce, .ours = "", .name = "smp"},
      {.collective = kAllreduce, .ours = "ring", .name = "ring", .since = kFourOne, .least_elements_per_rank = 1},
      {.collective = kAllreduce, .ours = "", .name = "tree", .since = kFourOne},
      {.collective = kAllreduce, .ours = "", .name = "recexch", .since = kFourOne},
      {.collective = kGather, .ours = "binomial", .name = "binomial"},
      {.collective = kScatter, .ours = "binomial", .name = "binomial"},
      {.collective = kAllgather, .ours = "bruck", .name = "brucks", .fixed_parameters = {{"radix", 2}}},
      {.collective = kAllgather, .ours = "recursive-doubling", .name = "recursive_doubling", .ranks = kPowerOfTwo},
      {.collective = kAllgather, .ours = "ring", .name = "ring"},
      {.collective = kAlltoall, .ours = "bruck", .name = "brucks", .fixed_parameters = {{"radix", 2}}},
      {.collective = kAlltoall, .ours = "pairwise-xor", .name = "pairwise", .ranks = kPowerOfTwo},
      {.collective = kAlltoall, .ours = "pairwise", .name = "pairwise", .ranks = kNoPowerOfTwo},
      // MPIR_CVAR_ALLTOALL_THROTTLE
      {.collective = kAlltoall, .ours = "linear-sync", .name = "scattered", .fixed_parameters = {{"window", 32}}},
      {.collective = kReduceScatter, .ours = "recursive-halving", .name = "recursive_halving"},
      {.collective = kReduceScatter, .ours = "pairwise", .name = "pairwise"},
      {.collective = kReduceScatter, .ours = "", .name = "recursive_doubling"},
      {.collective = kReduceScatter, .ours = "", .name = "noncommutative", .ranks = kPowerOfTwo},
      {.collective = kScan, .ours = "recursive-doubling", .name = "recursive_doubling"},
      {.collective = kScan, .ours = "", .name = "smp"},
      {.collective = kExscan, .ours = "recursive-doubling", .name = "recursive_doubling"},
  };
}

}  // namespace postage::library_lists
