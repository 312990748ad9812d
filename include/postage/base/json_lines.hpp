#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A JSON value that knows the line it stands on. Members keep the order of the text, and repeated ones are all kept:
/// what reads a file that others wrote for a library needs both.
struct JsonLine {
  enum class Kind : std::uint8_t { kNull, kBoolean, kInteger, kReal, kText, kArray, kObject };

  Kind kind = Kind::kNull;
  int line = 1;            ///< of the member's name, or of the value itself where it has none; from 1
  std::string name{};      ///< in an object
  std::string text{};      ///< of kText; of numbers as written
  std::int64_t integer{};  ///< of kInteger, those beyond the type cut to its ends
  bool truth = false;      ///< of kBoolean
  std::vector<JsonLine> items{};

  [[nodiscard]] bool is_object() const { return kind == Kind::kObject; }
  [[nodiscard]] bool is_array() const { return kind == Kind::kArray; }
  /// The first of that name, or nullptr.
  [[nodiscard]] const JsonLine* find(std::string_view wanted) const;
};

struct JsonLinesText {
  JsonLine value{};
  /// Behind the value: 0 where nothing but spaces follows it.
  int line_of_rest = 0;
};

/// Reads the first value of a text. `is_lenient` takes comments and what follows the value, as json-c does. Throws
/// Error that says line and mistake, also for what is nested more than 500 levels deep.
[[nodiscard]] JsonLinesText parse_json_lines(std::string_view text, bool is_lenient = false);

}  // namespace postage
