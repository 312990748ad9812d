#include "preload/statistics/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace postage::preload {

void write_text(const std::string& file, const std::string& text) {
  std::FILE* const stream = std::fopen(file.c_str(), "w");
  const bool written = stream != nullptr && std::fputs(text.c_str(), stream) >= 0;
  const bool closed = stream != nullptr && std::fclose(stream) == 0;
  if (!written || !closed) {
    std::fprintf(stderr, "postage: cannot write %s: %s\n", file.c_str(), std::strerror(errno));
  }
}

}  // namespace postage::preload
