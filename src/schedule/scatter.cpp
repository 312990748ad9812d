#include "schedule/families.hpp"

namespace postage {

std::vector<Algorithm> scatter_algorithms() {
  return {};
}

}  // namespace postage
