#pragma once

#include <postage/schedule/algorithms.hpp>

#include <vector>

namespace postage {

// Each collective's file lists its own algorithms; algorithms.cpp joins the lists in this order.
[[nodiscard]] std::vector<Algorithm> barrier_algorithms();
[[nodiscard]] std::vector<Algorithm> bcast_algorithms();

}  // namespace postage
