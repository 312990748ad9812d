#pragma once

#include <postage/base/units.hpp>

namespace postage::closed_form {

/// The process skew benchmark of Chai et al. (ICPP 2008), section 3.4 and figure 5: a producer computes c1 and sends, a
/// consumer receives and computes c2, so many times as the window holds messages, before the producer waits for all.
struct SkewBenchmark {
  Seconds producer_computation = 0;  ///< c1
  Seconds consumer_computation = 0;  ///< c2
  int window = 64;
};

/// c3 through shared memory: (c1 + t(MPI_Send)) * window_size + t(MPI_Waitall). A send leaves a copy and is done.
[[nodiscard]] Seconds producer_time_by_copies(const SkewBenchmark& benchmark, Seconds send, Seconds wait_all);

/// c3 by single copies: (t(MPI_Recv) + c2) * window_size + t(MPI_Waitall). A send ends with its receive. Here
/// t(MPI_Waitall) can only be what is left after the last receive: the whole call waits for all of them, and the
/// printed sum would count them twice.
[[nodiscard]] Seconds producer_time_by_single_copies(const SkewBenchmark& benchmark, Seconds receive, Seconds wait_all);

/// What the benchmark of figure 5 measures where nothing else takes time.
struct SkewedProducer {
  Seconds total = 0;     ///< c3
  Seconds wait_all = 0;  ///< of it, in MPI_Waitall
};

/// Figure 5, message by message: the consumer takes each for t(MPI_Recv), and then computes.
[[nodiscard]] SkewedProducer play_skew_by_copies(const SkewBenchmark& benchmark, Seconds send);
[[nodiscard]] SkewedProducer play_skew_by_single_copies(const SkewBenchmark& benchmark, Seconds send, Seconds receive);

}  // namespace postage::closed_form
