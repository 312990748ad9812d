#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// An integer as coll/tuned reads it: fscanf's "%li", so that 010 is 8 and 0x10 is 16.
struct RuleNumber {
  long value = 0;
  int line = 1;
  bool is_octal = false;
};

/// Reads integers out of a text and steps over all else, character by character, as
/// ompi_coll_base_file_getnext_long does; '#' begins a comment.
class RuleNumberReader {
 public:
  struct Skipped {
    int line = 1;
    std::string text{};
    bool touches_number = false;  ///< like the K of 64K
  };

  explicit RuleNumberReader(std::string_view text) : text_(text) {}

  /// Nothing at the end of the text.
  [[nodiscard]] std::optional<RuleNumber> next();
  /// A digit follows on the same line, or where the next one begins: what version 2 takes for its fifth column.
  [[nodiscard]] bool digit_follows();
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] const std::vector<Skipped>& skipped() const { return skipped_; }

 private:
  [[nodiscard]] bool skip_spaces();
  void skip_character();
  [[nodiscard]] std::optional<RuleNumber> number_here();

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t number_end_ = 0;
  std::size_t skipped_end_ = 0;
  std::vector<Skipped> skipped_;
};

}  // namespace postage
