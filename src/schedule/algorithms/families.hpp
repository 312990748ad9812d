#pragma once

#include <postage/schedule/algorithms.hpp>

#include <utility>
#include <vector>

namespace postage {

/// Of algorithms that Ali et al. (PPoPP 2010) order by acknowledgements.
inline constexpr AlgorithmParameter kAcknowledged{
    "acknowledged", "1 where each message is a get, acknowledged before its source goes on, as Ali et al. do; else 0",
    1, 0, 1};

/// With Protocol::kAcknowledged where the request's parameter of that name is 1.
[[nodiscard]] inline Schedule acknowledged_if_asked(const ScheduleRequest& request, Schedule schedule) {
  return request.parameter(kAcknowledged.name) == 0 ? schedule
                                                    : with_protocol(std::move(schedule), Protocol::kAcknowledged);
}

/// Of Rabenseifner's reductions, by which ranks beyond a power of two hand over their vectors first.
inline constexpr AlgorithmParameter kWholeFold{
    "whole", "1 where ranks beyond a power of two hand over their whole vectors, as in MPICH; 0: half of them", 0, 0,
    1};

/// Of linear gathers and scatters.
inline constexpr AlgorithmParameter kInTurn{
    "turns", "1 where the root deals with one rank after another, each in a round; 0: with all in one round", 0, 0, 1};

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
