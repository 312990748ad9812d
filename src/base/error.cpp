#include <postage/base/error.hpp>

namespace postage {

std::string unknown_name(const std::string& what, const std::string& name, const std::string& valid) {
  return "unknown " + what + " '" + name + "'; the valid ones are " + valid;
}

}  // namespace postage
