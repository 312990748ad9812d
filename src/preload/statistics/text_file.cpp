#include "preload/statistics/text_file.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>

#include <cstdio>

namespace postage::preload {

void write_text(const std::string& file, const std::string& text) {
  try {
    write_file(file, text);
  } catch (const Error& mistake) {
    std::fprintf(stderr, "postage: %s\n", mistake.what());
  }
}

}  // namespace postage::preload
