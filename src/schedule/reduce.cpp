#include "schedule/families.hpp"

namespace postage {

std::vector<Algorithm> reduce_algorithms() {
  return {};
}

}  // namespace postage
