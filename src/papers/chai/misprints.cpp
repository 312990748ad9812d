#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> chai_misprints() {
  return {
      {.place = "Section 3.4, c3 of MVAPICH-LiMIC2",
       .printed = "(t(MPI_Recv) + c2) * window_size + t(MPI_Waitall)",
       .right = "c1 + t(MPI_Isend) + t(MPI_Recv) * window_size + c2 * (window_size - 1), where c1 < c2: nothing for "
                "MPI_Waitall",
       .proof = "Figure 5's producer is in MPI_Waitall while the consumer receives and computes: the first term counts "
                "that time already, and with the whole call c3 comes out at twice what the figure takes (c1 = 1 us, c2 "
                "= 40 us, t(MPI_Recv) = 6 us: 5.754 instead of 2.906 ms). What follows the last receive is the "
                "consumer's own: its last c2 does not count.",
       .where = "tests/unit/bench/skew_formulas_test.cpp#CountWhatMpiWaitallWaitsForTwice"},
      {.place = "Section 3.4, c3 of MVAPICH",
       .printed = "t(MPI_Send)",
       .right = "t(MPI_Isend)",
       .proof = "The text and figure 5 send with the non-blocking MPI_Isend, which MPI_Waitall completes.",
       .where = "src/bench/programs/skew.hpp#start_send"},
      {.place = "Section 3.1 against section 3.3",
       .printed = "single copy is faster from 2KB on for intra-socket; figure 4 begins at 1KB, since single copy is "
                  "better from 1KB on in figure 3 (intra-socket)",
       .right = "both, of different benchmarks: without buffer reuse from 2KB, with it from 1KB",
       .proof = "Figure 2(b) uses no buffer twice, figure 3 rewrites and reuses them; section 3.2 says that the "
                "benefit is larger with reuse. The threshold of section 4.1, 2 KB, is that without.",
       .where = "src/bench/programs/streams.hpp#bandwidth_no_reuse"},
  };
}

}  // namespace postage
