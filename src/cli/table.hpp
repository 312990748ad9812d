#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace postage {

/// A table for people: aligned columns under their titles, cells wrapped at spaces so that it fits a width.
class Table {
 public:
  enum class Align { kLeft, kRight };

  struct Column {
    std::string title;
    /// Numbers go right. Columns aligned left hold text, and only they give way where there is too little room.
    Align align = Align::kLeft;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell a column. Throws std::invalid_argument if there are more or fewer.
  void add_row(std::vector<std::string> cells);

  /// Lines of at most `width` characters if the text columns can give way that far; each ends in a newline.
  [[nodiscard]] std::string render(std::size_t width) const;

 private:
  [[nodiscard]] std::vector<std::size_t> column_widths(std::size_t width) const;
  [[nodiscard]] std::string render_row(const std::vector<std::string>& cells,
                                       const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// Characters that fit on a line of standard output: what the environment's COLUMNS says, else the terminal's width;
/// without limit for a file or a pipe, so that grep finds whole rows.
[[nodiscard]] std::size_t output_width();

/// Breaks `text` at spaces into lines of at most `width` characters; a longer word is cut. At least one line.
[[nodiscard]] std::vector<std::string> wrap(const std::string& text, std::size_t width);

/// "12.3 %" of 0.123, with so many digits behind the point.
[[nodiscard]] std::string percent(double share, int digits = 1);

/// "+12.3 %" of 0.123.
[[nodiscard]] std::string signed_percent(double share);

}  // namespace postage
