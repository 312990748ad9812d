#include "tuning/libraries/lists.hpp"

#include <algorithm>

namespace postage::library_lists {
namespace {

/// Open MPI's decisions once were lines through measured times, of which SMPI has copies in its algorithms.
bool has_fewer_ranks(const ScheduleRequest& request, double slope, double offset) {
  return request.ranks < slope * static_cast<double>(request.bytes) + offset;
}

void cut_pipelined_bcast(ScheduleRequest& request) {
  constexpr Bytes kLongest = Bytes{128} * 1024;
  const bool is_longest = has_fewer_ranks(request, 1.6134e-6, 2.1102);
  const bool is_long = !is_longest && has_fewer_ranks(request, 2.3679e-6, 1.1787);
  const bool is_short = !is_longest && !is_long && has_fewer_ranks(request, 3.2118e-6, 8.7936);
  request.segment_bytes = is_long ? kLongest / 2 : is_short ? kLongest / 8 : kLongest;
}

void cut_pipelined_reduce(ScheduleRequest& request) {
  constexpr Bytes kShortest = 1024;
  const bool is_shortest = !has_fewer_ranks(request, 0.0410 / 1024, 9.7128);
  const bool is_short = !has_fewer_ranks(request, 0.0033 / 1024, 1.6761);
  request.segment_bytes = kShortest * (is_shortest ? 1 : is_short ? 32 : 64);
}

void halve_into_chains(ScheduleRequest& request) {
  request.parameters["chains"] = std::max<Index>(request.ranks / 2, 1);
}

}  // namespace

// Values of --cfg=smpi/<collective>: src/smpi/colls of SimGrid 3.32. Left out are its selectors, those known to be
// wrong or unsafe there (flattree_pipeline, arrival_*, SMP_linear, ompi_split_bintree, smp_binomial_pipeline,
// smp_rsag*, pair_rma) and gather ompi_linear_sync, which deadlocks where messages wait for their receiver.
std::vector<LibraryAlgorithm> smpi() {  // NOLINT(readability-function-size): a table
  using enum Collective;
  using enum LibraryRankRule;
  using enum Calls;
  constexpr Bytes kNtsSegment = 8192;
  return {
      {.collective = kBarrier, .ours = "linear", .name = "ompi_basic_linear"},
      {.collective = kBarrier, .ours = "double-ring", .name = "ompi_doublering"},
      {.collective = kBarrier, .ours = "recursive-doubling", .name = "ompi_recursivedoubling"},
      {.collective = kBarrier, .ours = "dissemination", .name = "ompi_bruck"},
      {.collective = kBarrier, .ours = "tree", .name = "ompi_tree"},
      {.collective = kBarrier, .ours = "", .name = "mpich_smp"},
      {.collective = kBarrier, .ours = "", .name = "mvapich2_pair"},
      {.collective = kBcast, .ours = "linear", .name = "flattree"},
      {.collective = kBcast, .ours = "pipeline", .name = "NTSL", .fixed_segment = kNtsSegment, .calls = kReceivesFirst},
      {.collective = kBcast,
       .ours = "pipeline",
       .name = "ompi_pipeline",
       .calls = kBlockingSends,
       .decides = cut_pipelined_bcast},
      {.collective = kBcast,
       .ours = "binary",
       .name = "NTSB",
       .fixed_segment = kNtsSegment,
       .fixed_parameters = {{"heap", 1}},
       .calls = kReceivesFirst},
      {.collective = kBcast, .ours = "binomial", .name = "binomial_tree", .calls = kBlocking},
      {.collective = kBcast,
       .ours = "knomial",
       .name = "mvapich2_knomial_intra_node",
       .fixed_parameters = {{"radix", 4}},
       .calls = kBlocking},
      {.collective = kBcast,
       .ours = "scatter-rd-allgather",
       .name = "scatter_rdb_allgather",
       .least_elements_per_rank = 1,
       .calls = kBlocking},
      {.collective = kBcast,
       .ours = "scatter-ring-allgather",
       .name = "scatter_LR_allgather",
       .least_elements_per_rank = 1,
       .calls = kBlocking},
      {.collective = kBcast, .ours = "", .name = "SMP_binary"},
      {.collective = kBcast, .ours = "", .name = "SMP_binomial"},
      {.collective = kReduce, .ours = "linear", .name = "flat_tree", .calls = kBlocking},
      {.collective = kReduce,
       .ours = "chain",
       .name = "ompi_chain",
       .fixed_segment = 65536,
       .calls = kBlockingSends,
       .decides = halve_into_chains},
      {.collective = kReduce,
       .ours = "pipeline",
       .name = "ompi_pipeline",
       .calls = kBlockingSends,
       .decides = cut_pipelined_reduce},
      {.collective = kReduce,
       .ours = "pipeline",
       .name = "NTSL",
       .fixed_segment = kNtsSegment,
       .calls = kReceivesFirst},
      {.collective = kReduce, .ours = "binary", .name = "ompi_binary", .fixed_segment = 32768, .calls = kBlockingSends},
      {.collective = kReduce, .ours = "in-order-binary", .name = "ompi_in_order_binary", .calls = kBlockingSends},
      {.collective = kReduce, .ours = "binomial", .name = "binomial", .calls = kBlocking},
      {.collective = kReduce,
       .ours = "rabenseifner",
       .name = "scatter_gather",
       .fixed_parameters = {{"whole", 1}},
       .least_elements_per_rank = 1,
       .calls = kBlocking},
      {.collective = kAllreduce, .ours = "ring", .name = "lr", .least_elements_per_rank = 1, .calls = kBlocking},
      {.collective = kAllreduce,
       .ours = "segmented-ring",
       .name = "ompi_ring_segmented",
       .fixed_segment = 1 << 20,
       .least_elements_per_rank = 1,
       .calls = kBlockingSends},
      {.collective = kAllreduce,
       .ours = "rabenseifner",
       .name = "rab_rdb",
       .fixed_parameters = {{"whole", 1}},
       .least_elements_per_rank = 1,
       .calls = kBlocking},
      {.collective = kAllreduce, .ours = "recursive-doubling", .name = "rdb", .calls = kBlocking},
      {.collective = kAllreduce, .ours = "", .name = "rab1", .ranks = kPowerOfTwo},
      {.collective = kAllreduce, .ours = "", .name = "rab2"},
      {.collective = kAllreduce, .ours = "", .name = "redbcast"},
      {.collective = kAllreduce, .ours = "", .name = "smp_binomial"},
      {.collective = kAllreduce, .ours = "", .name = "smp_rdb"},
      {.collective = kGather,
       .ours = "linear",
       .name = "ompi_basic_linear",
       .fixed_parameters = {{"turns", 1}},
       .calls = kBlocking},
      {.collective = kGather, .ours = "binomial", .name = "ompi_binomial", .calls = kBlocking},
      {.collective = kScatter,
       .ours = "linear",
       .name = "ompi_basic_linear",
       .fixed_parameters = {{"turns", 1}},
       .calls = kBlocking},
      {.collective = kScatter, .ours = "linear", .name = "ompi_linear_nb"},
      {.collective = kScatter,
       .ours = "binomial",
       .name = "ompi_binomial",
       .fixed_parameters = {{"rising", 1}},
       .calls = kBlocking},
      {.collective = kAllgather, .ours = "gather-bcast", .name = "GB"},
      {.collective = kAllgather, .ours = "ring", .name = "NTSLR", .calls = kBlocking},
      {.collective = kAllgather,
       .ours = "bruck",
       .name = "bruck",
       .fixed_parameters = {{"radix", 2}},
       .calls = kBlocking},
      {.collective = kAllgather, .ours = "recursive-doubling", .name = "rdb", .ranks = kPowerOfTwo, .calls = kBlocking},
      {.collective = kAllgather,
       .ours = "neighbor-exchange",
       .name = "ompi_neighborexchange",
       .ranks = kEven,
       .calls = kBlocking},
      {.collective = kAllgather, .ours = "linear", .name = "spreading_simple"},
      {.collective = kAllgather, .ours = "", .name = "pair", .ranks = kPowerOfTwo},
      {.collective = kAllgather, .ours = "", .name = "ring"},
      {.collective = kAllgather, .ours = "", .name = "rhv", .ranks = kPowerOfTwo},
      {.collective = kAlltoall, .ours = "linear", .name = "basic_linear"},
      {.collective = kAlltoall, .ours = "pairwise", .name = "ring", .calls = kBlocking},
      {.collective = kAlltoall, .ours = "pairwise-xor", .name = "pair", .ranks = kPowerOfTwo, .calls = kBlocking},
      {.collective = kAlltoall,
       .ours = "bruck",
       .name = "bruck",
       .fixed_parameters = {{"radix", 2}},
       .calls = kBlocking},
      {.collective = kAlltoall,
       .ours = "linear-sync",
       .name = "mvapich2_scatter_dest",
       .fixed_parameters = {{"own", 1}, {"window", 4}}},
      {.collective = kAlltoall, .ours = "", .name = "rdb", .ranks = kPowerOfTwo},
      {.collective = kReduceScatter,
       .ours = "recursive-halving",
       .name = "ompi_basic_recursivehalving",
       .calls = kBlocking},
      {.collective = kReduceScatter, .ours = "ring", .name = "ompi_ring", .calls = kBlockingSends},
      {.collective = kReduceScatter, .ours = "butterfly", .name = "ompi_butterfly", .calls = kBlocking},
      {.collective = kReduceScatter, .ours = "pairwise", .name = "mpich_pair", .calls = kBlocking},
      {.collective = kReduceScatter, .ours = "", .name = "mpich_rdb"},
  };
}

}  // namespace postage::library_lists
