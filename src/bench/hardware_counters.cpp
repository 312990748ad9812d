#include "bench/programs/miss_counter.hpp"

#include <postage/bench/hardware_counters.hpp>

#include <fmt/format.h>

#include <cstring>

namespace postage {

std::string why_no_miss_counter() {
  const int error = bench::MissCounter().error();
  return error == 0 ? "" : fmt::format("perf_event_open: {}", std::strerror(error));
}

}  // namespace postage
