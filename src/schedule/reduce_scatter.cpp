#include "schedule/families.hpp"

namespace postage {

std::vector<Algorithm> reduce_scatter_algorithms() {
  return {};
}

}  // namespace postage
