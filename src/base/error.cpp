#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage {

std::string printable(const std::string& text) {
  constexpr unsigned char kFirstPrintable = 0x20;
  constexpr unsigned char kDelete = 0x7f;
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < kFirstPrintable && c != '\n' && c != '\t') || code == kDelete) {
      shown += fmt::format("\\x{:02x}", code);
    } else {
      shown += c;
    }
  }
  return shown;
}

std::string unknown_name(const std::string& what, const std::string& name, const std::string& valid) {
  return "unknown " + what + " '" + name + "'; the valid ones are " + valid;
}

}  // namespace postage
