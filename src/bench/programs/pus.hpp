#pragma once

#include <sched.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace postage::bench {

/// Hardware thread of each rank, as POSTAGE_BENCH_PUS lists them ("0,4,1,5"); none where it is not set.
inline std::vector<int> given_pus() {
  const char* text = std::getenv("POSTAGE_BENCH_PUS");
  std::istringstream list(text == nullptr ? "" : text);
  std::vector<int> pus;
  for (std::string pu; std::getline(list, pu, ',');) {
    pus.push_back(std::stoi(pu));
  }
  return pus;
}

/// Binds the calling thread to that of its rank, where any are given.
inline void bind_as_given(int rank) {
  const std::vector<int> pus = given_pus();
  if (static_cast<std::size_t>(rank) < pus.size()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(pus[static_cast<std::size_t>(rank)], &set);
    sched_setaffinity(0, sizeof set, &set);
  }
}

}  // namespace postage::bench
