#include "schedule/families.hpp"

namespace postage {

std::vector<Algorithm> allgather_algorithms() {
  return {};
}

}  // namespace postage
