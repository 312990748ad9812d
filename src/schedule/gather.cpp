#include "schedule/families.hpp"

namespace postage {

std::vector<Algorithm> gather_algorithms() {
  return {};
}

}  // namespace postage
