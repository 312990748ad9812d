#include "schedule/families.hpp"

namespace postage {

std::vector<Algorithm> scan_algorithms() {
  return {};
}

}  // namespace postage
