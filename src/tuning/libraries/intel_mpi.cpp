#include "tuning/libraries/lists.hpp"

namespace postage::library_lists {

// The numbers of I_MPI_ADJUST_<COLLECTIVE>: Intel MPI Library Developer Reference 2021, "I_MPI_ADJUST Family". Releases
// outside these have others.
std::vector<LibraryAlgorithm> intel_mpi() {
  using enum Collective;
  using enum LibraryRankRule;
  std::vector<LibraryAlgorithm> list{
      {.collective = kBarrier, .ours = "dissemination", .number = 1, .name = "dissemination"},
      {.collective = kBarrier, .ours = "recursive-doubling", .number = 2, .name = "recursive doubling"},
      {.collective = kBcast, .ours = "binomial", .number = 1, .name = "binomial"},
      {.collective = kBcast,
       .ours = "scatter-rd-allgather",
       .number = 2,
       .name = "recursive doubling",
       .least_elements_per_rank = 1},
      {.collective = kBcast,
       .ours = "scatter-ring-allgather",
       .number = 3,
       .name = "ring",
       .least_elements_per_rank = 1},
      {.collective = kReduce, .ours = "binomial", .number = 2, .name = "binomial"},
      {.collective = kReduce,
       .ours = "rabenseifner",
       .number = 5,
       .name = "Rabenseifner's",
       .least_elements_per_rank = 1},
      {.collective = kAllreduce, .ours = "recursive-doubling", .number = 1, .name = "recursive doubling"},
      {.collective = kAllreduce,
       .ours = "rabenseifner",
       .number = 2,
       .name = "Rabenseifner's",
       .least_elements_per_rank = 1},
      {.collective = kAllreduce, .ours = "ring", .number = 8, .name = "ring", .least_elements_per_rank = 1},
      {.collective = kGather, .ours = "binomial", .number = 1, .name = "binomial"},
      {.collective = kScatter, .ours = "binomial", .number = 1, .name = "binomial"},
      {.collective = kAllgather,
       .ours = "recursive-doubling",
       .number = 1,
       .name = "recursive doubling",
       .ranks = kPowerOfTwo},
      {.collective = kAllgather, .ours = "bruck", .number = 2, .name = "Bruck's", .fixed_parameters = {{"radix", 2}}},
      {.collective = kAllgather, .ours = "ring", .number = 3, .name = "ring"},
      {.collective = kAlltoall, .ours = "bruck", .number = 1, .name = "Bruck's", .fixed_parameters = {{"radix", 2}}},
      {.collective = kAlltoall, .ours = "linear", .number = 2, .name = "isend/irecv"},
      {.collective = kAlltoall, .ours = "pairwise", .number = 3, .name = "pairwise exchange"},
      {.collective = kReduceScatter, .ours = "recursive-halving", .number = 1, .name = "recursive halving"},
      {.collective = kReduceScatter, .ours = "pairwise", .number = 2, .name = "pairwise exchange"},
  };
  for (LibraryAlgorithm& algorithm : list) {
    algorithm.since = {2021, 0, 0};
    algorithm.before = {2021, 13, 0};
  }
  return list;
}

}  // namespace postage::library_lists
