#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> rico_gallego_misprints() {
  return {};
}

}  // namespace postage
