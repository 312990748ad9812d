#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> lastovetsky_misprints() {
  return {};
}

}  // namespace postage
