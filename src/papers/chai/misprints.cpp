#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> chai_misprints() {
  return {};
}

}  // namespace postage
