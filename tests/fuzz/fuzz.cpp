// libFuzzer's entry. POSTAGE_FUZZ_PARSER names the parser.
#include "parsers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace postage {
namespace {

const FuzzedParser& chosen_parser() {
  const char* const wanted = std::getenv("POSTAGE_FUZZ_PARSER");
  const auto all = fuzzed_parsers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const FuzzedParser& parser) {
    return wanted != nullptr && parser.name == std::string(wanted);
  });
  if (found == all.end()) {
    std::fprintf(stderr, "POSTAGE_FUZZ_PARSER names one of these parsers:");
    for (const FuzzedParser& parser : all) {
      std::fprintf(stderr, " %s", parser.name);
    }
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  return *found;
}

}  // namespace
}  // namespace postage

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const postage::FuzzedParser& parser = postage::chosen_parser();
  postage::try_parser(parser, {reinterpret_cast<const char*>(data), size});
  return 0;
}
