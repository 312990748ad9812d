#include "preload/statistics/environment.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace postage::preload {

std::optional<std::string> setting(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

bool is_on(const char* variable) {
  const auto value = setting(variable);
  return value && *value != "0" && *value != "off";
}

void write_text(const std::string& file, const std::string& text) {
  std::FILE* const stream = std::fopen(file.c_str(), "w");
  const bool written = stream != nullptr && std::fputs(text.c_str(), stream) >= 0;
  const bool closed = stream != nullptr && std::fclose(stream) == 0;
  if (!written || !closed) {
    std::fprintf(stderr, "postage: cannot write %s: %s\n", file.c_str(), std::strerror(errno));
  }
}

}  // namespace postage::preload
