#include "schedule/families.hpp"

namespace postage {

std::vector<Algorithm> alltoall_algorithms() {
  return {};
}

}  // namespace postage
