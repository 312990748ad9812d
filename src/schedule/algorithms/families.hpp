#pragma once

#include <postage/schedule/algorithms.hpp>

#include <vector>

namespace postage {

// Each collective's file lists its own algorithms; algorithms.cpp joins the lists in this order.
[[nodiscard]] std::vector<Algorithm> barrier_algorithms();
[[nodiscard]] std::vector<Algorithm> bcast_algorithms();
[[nodiscard]] std::vector<Algorithm> reduce_algorithms();
[[nodiscard]] std::vector<Algorithm> allreduce_algorithms();
[[nodiscard]] std::vector<Algorithm> gather_algorithms();
[[nodiscard]] std::vector<Algorithm> scatter_algorithms();
[[nodiscard]] std::vector<Algorithm> allgather_algorithms();
[[nodiscard]] std::vector<Algorithm> alltoall_algorithms();
[[nodiscard]] std::vector<Algorithm> reduce_scatter_algorithms();
[[nodiscard]] std::vector<Algorithm> scan_algorithms();

/// Throws UsageError for an invalid request: ranks, root, sizes, block sizes.
void check_request(Collective collective, const ScheduleRequest& request);

}  // namespace postage
