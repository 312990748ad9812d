// Preloaded between libmpi and mca_coll_tuned.so, which calls ompi_coll_base_* through its linkage table: each function
// here has the name of one of them, notes that it was called, and calls the next of that name. All parameters are
// integers or pointers, so that twelve words hold any of these functions' arguments; those that a function does not
// have are whatever stood in the register or on the stack, and nobody reads them.
#include "tuning/prove/programs/trace.hpp"

#include <dlfcn.h>

#include <cstdint>

namespace {

using Word = std::intptr_t;
using Function = int (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

Function next_of(const char* name) {
  // dlsym gives functions as pointers to data.
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// An argument that is an int or a uint32_t: the upper half of its word is undefined.
Word number(Word word) {
  return static_cast<std::int32_t>(word);
}

}  // namespace

#define POSTAGE_TRACE(function, name, segment, fan_out)                                                            \
  extern "C" int ompi_coll_base_##function(Word a0, Word a1, Word a2, Word a3, Word a4, Word a5, Word a6, Word a7, \
                                           Word a8, Word a9, Word a10, Word a11) {                                 \
    static const Function next = next_of("ompi_coll_base_" #function);                                             \
    const postage::trace::Call call(name, number(segment), number(fan_out));                                       \
    return next(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);                                                 \
  }

// The function, coll/tuned's name of it, and which words are its segment and its fan-out: coll_base_functions.h.
POSTAGE_TRACE(allgather_intra_basic_linear, "allgather linear", 0, 0)
POSTAGE_TRACE(allgather_intra_bruck, "allgather bruck", 0, 0)
POSTAGE_TRACE(allgather_intra_neighborexchange, "allgather neighbor", 0, 0)
POSTAGE_TRACE(allgather_intra_recursivedoubling, "allgather recursive_doubling", 0, 0)
POSTAGE_TRACE(allgather_intra_ring, "allgather ring", 0, 0)
POSTAGE_TRACE(allgather_intra_two_procs, "allgather two_proc", 0, 0)
POSTAGE_TRACE(allreduce_intra_basic_linear, "allreduce basic_linear", 0, 0)
POSTAGE_TRACE(allreduce_intra_nonoverlapping, "allreduce nonoverlapping", 0, 0)
POSTAGE_TRACE(allreduce_intra_recursivedoubling, "allreduce recursive_doubling", 0, 0)
POSTAGE_TRACE(allreduce_intra_redscat_allgather, "allreduce rabenseifner", 0, 0)
POSTAGE_TRACE(allreduce_intra_ring, "allreduce ring", 0, 0)
POSTAGE_TRACE(allreduce_intra_ring_segmented, "allreduce segmented_ring", a7, 0)
POSTAGE_TRACE(alltoall_intra_basic_linear, "alltoall linear", 0, 0)
POSTAGE_TRACE(alltoall_intra_bruck, "alltoall modified_bruck", 0, 0)
POSTAGE_TRACE(alltoall_intra_linear_sync, "alltoall linear_sync", 0, 0)
POSTAGE_TRACE(alltoall_intra_pairwise, "alltoall pairwise", 0, 0)
POSTAGE_TRACE(alltoall_intra_two_procs, "alltoall two_proc", 0, 0)
POSTAGE_TRACE(barrier_intra_basic_linear, "barrier linear", 0, 0)
POSTAGE_TRACE(barrier_intra_bruck, "barrier bruck", 0, 0)
POSTAGE_TRACE(barrier_intra_doublering, "barrier double_ring", 0, 0)
POSTAGE_TRACE(barrier_intra_recursivedoubling, "barrier recursive_doubling", 0, 0)
POSTAGE_TRACE(barrier_intra_tree, "barrier tree", 0, 0)
POSTAGE_TRACE(barrier_intra_two_procs, "barrier two_proc", 0, 0)
POSTAGE_TRACE(bcast_intra_basic_linear, "bcast basic_linear", 0, 0)
POSTAGE_TRACE(bcast_intra_binomial, "bcast binomial", a6, 0)
POSTAGE_TRACE(bcast_intra_bintree, "bcast binary_tree", a6, 0)
POSTAGE_TRACE(bcast_intra_chain, "bcast chain", a6, a7)
POSTAGE_TRACE(bcast_intra_knomial, "bcast knomial", a6, a7)
POSTAGE_TRACE(bcast_intra_pipeline, "bcast pipeline", a6, 0)
POSTAGE_TRACE(bcast_intra_scatter_allgather, "bcast scatter_allgather", 0, 0)
POSTAGE_TRACE(bcast_intra_scatter_allgather_ring, "bcast scatter_allgather_ring", 0, 0)
POSTAGE_TRACE(bcast_intra_split_bintree, "bcast split_binary_tree", a6, 0)
POSTAGE_TRACE(exscan_intra_linear, "exscan linear", 0, 0)
POSTAGE_TRACE(exscan_intra_recursivedoubling, "exscan recursive_doubling", 0, 0)
POSTAGE_TRACE(gather_intra_basic_linear, "gather basic_linear", 0, 0)
POSTAGE_TRACE(gather_intra_binomial, "gather binomial", 0, 0)
POSTAGE_TRACE(gather_intra_linear_sync, "gather linear_sync", a9, 0)
POSTAGE_TRACE(reduce_intra_basic_linear, "reduce linear", 0, 0)
POSTAGE_TRACE(reduce_intra_binary, "reduce binary", a8, 0)
POSTAGE_TRACE(reduce_intra_binomial, "reduce binomial", a8, 0)
POSTAGE_TRACE(reduce_intra_chain, "reduce chain", a8, a9)
POSTAGE_TRACE(reduce_intra_in_order_binary, "reduce in-order_binary", a8, 0)
POSTAGE_TRACE(reduce_intra_pipeline, "reduce pipeline", a8, 0)
POSTAGE_TRACE(reduce_intra_redscat_gather, "reduce rabenseifner", 0, 0)
POSTAGE_TRACE(reduce_scatter_intra_basic_recursivehalving, "reduce_scatter recursive_halving", 0, 0)
POSTAGE_TRACE(reduce_scatter_intra_butterfly, "reduce_scatter butterfly", 0, 0)
POSTAGE_TRACE(reduce_scatter_intra_nonoverlapping, "reduce_scatter non-overlapping", 0, 0)
POSTAGE_TRACE(reduce_scatter_intra_ring, "reduce_scatter ring", 0, 0)
POSTAGE_TRACE(scan_intra_linear, "scan linear", 0, 0)
POSTAGE_TRACE(scan_intra_recursivedoubling, "scan recursive_doubling", 0, 0)
POSTAGE_TRACE(scatter_intra_basic_linear, "scatter basic_linear", 0, 0)
POSTAGE_TRACE(scatter_intra_binomial, "scatter binomial", 0, 0)
POSTAGE_TRACE(scatter_intra_linear_nb, "scatter linear_nb", 0, 0)
