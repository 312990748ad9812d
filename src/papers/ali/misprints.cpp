#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> ali_misprints() {
  return {};
}

}  // namespace postage
