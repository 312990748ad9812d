#pragma once

#include <span>
#include <string_view>

namespace postage {

/// One of the library's readers of what users, or other programs, write.
struct FuzzedParser {
  const char* name = nullptr;  ///< also of its folder in tests/fuzz/corpus
  /// Reads the text and, where it is valid, checks that what is written of it is read as the same. Throws Error where
  /// it is not valid.
  void (*read)(std::string_view text) = nullptr;
};

[[nodiscard]] std::span<const FuzzedParser> fuzzed_parsers();

/// Whether the text is valid. Ends the process, with a line that says why, where anything else comes of it than a value
/// or an Error that says why.
bool try_parser(const FuzzedParser& parser, std::string_view text);

}  // namespace postage
