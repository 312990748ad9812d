#include "transport/binding.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <fstream>
#include <string>

namespace postage {
namespace {

/// Package and core that a hardware thread belongs to, as the kernel numbers them.
std::string core_of(int pu) {
  std::string core;
  for (const char* file : {"physical_package_id", "core_id"}) {
    std::ifstream in(fmt::format("/sys/devices/system/cpu/cpu{}/topology/{}", pu, file));
    std::string number;
    // Where the kernel does not say, every hardware thread counts as a core of its own.
    core += in >> number ? number + "/" : fmt::format("pu{}/", pu);
  }
  return core;
}

}  // namespace

int bound_hardware_thread() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return -1;
  }
  int first = -1;
  for (int pu = 0; pu < CPU_SETSIZE; ++pu) {
    if (!CPU_ISSET(pu, &allowed)) {
      continue;
    }
    if (first >= 0 && core_of(pu) != core_of(first)) {
      return -1;  // free to move between cores
    }
    first = first < 0 ? pu : first;
  }
  return first;
}

}  // namespace postage
