#pragma once

#include <postage/platform/network.hpp>

#include <string>

namespace postage {

/// Two groups of two rows of two routers with a host each, as "2,1;2,1;2,1;1" of SimGrid: router 1 of group 0 has the
/// link to group 1, whose router 0 has it.
inline NetworkStructure groups_of_rows() {
  NetworkStructure network;
  network.levels = {{.junction = GroupJunction::kMesh, .bandwidth = Estimate::exactly(1)},
                    {.junction = GroupJunction::kRows, .bandwidth = Estimate::exactly(2)},
                    {.junction = GroupJunction::kMesh, .bandwidth = Estimate::exactly(3)}};
  for (int router = 0; router < 8; ++router) {
    network.groups.push_back({"r" + std::to_string(router), 0, 8 + router / 2, {router}});
  }
  for (int row = 0; row < 4; ++row) {
    network.groups.push_back({"row " + std::to_string(row), 1, 12 + row / 2, {2 * row, 2 * row + 1}});
  }
  network.groups.push_back({"g0", 2, -1, {0, 1, 2, 3}, {}, {}, {{13, 1}}});
  network.groups.push_back({"g1", 2, -1, {4, 5, 6, 7}, {}, {}, {{12, 4}}});
  return network;
}

}  // namespace postage
