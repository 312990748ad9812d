#include "cli/table.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string_view>

namespace postage {
namespace {

constexpr std::size_t kBetweenColumns = 2;
constexpr std::size_t kNarrowestText = 8;

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;  // UTF-8
}

std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

// Bytes of the first `characters` characters.
std::size_t prefix_bytes(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    if (starts_character(text[bytes]) && seen++ == characters) {
      break;
    }
  }
  return bytes;
}

}  // namespace

std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (!lines.back().empty() && length(lines.back()) + 1 + length(word) > width) {
      lines.emplace_back();
    }
    while (length(word) > width) {
      const std::size_t cut = prefix_bytes(word, width);
      lines.back() = word.substr(0, cut);
      lines.emplace_back();
      word.remove_prefix(cut);
    }
    if (!lines.back().empty()) {
      lines.back() += ' ';
    }
    lines.back() += word;
  }
  return lines;
}

void Table::add_row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) {
    throw std::invalid_argument(
        fmt::format("a row of {} cells in a table of {} columns", cells.size(), columns_.size()));
  }
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::column_widths(std::size_t width) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(length(columns_[c].title));
    for (const auto& row : rows_) {
      widths.back() = std::max(widths.back(), length(row[c]));
    }
  }
  std::size_t total = std::accumulate(widths.begin(), widths.end(), kBetweenColumns * (widths.size() - 1));
  for (; total > width; --total) {
    std::size_t* widest = nullptr;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].align == Align::kLeft && (widest == nullptr || widths[c] > *widest)) {
        widest = &widths[c];
      }
    }
    if (widest == nullptr || *widest <= kNarrowestText) {
      break;
    }
    --*widest;
  }
  return widths;
}

std::string Table::render_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::vector<std::vector<std::string>> wrapped;
  std::size_t height = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    wrapped.push_back(wrap(cells[c], widths[c]));
    height = std::max(height, wrapped.back().size());
  }
  std::string text;
  for (std::size_t h = 0; h < height; ++h) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string cell = h < wrapped[c].size() ? wrapped[c][h] : "";
      const std::string padding(widths[c] - std::min(widths[c], length(cell)), ' ');
      line += std::string(c == 0 ? 0 : kBetweenColumns, ' ');
      line += columns_[c].align == Align::kLeft ? cell + padding : padding + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Table::render(std::size_t width) const {
  const auto widths = column_widths(width);
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    titles.push_back(columns_[c].title);
    rules.emplace_back(widths[c], '-');
  }
  std::string text = render_row(titles, widths) + render_row(rules, widths);
  for (const auto& row : rows_) {
    text += render_row(row, widths);
  }
  return text;
}

std::size_t output_width() {
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    const std::string_view text = columns;
    std::size_t width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error == std::errc{} && end == text.data() + text.size() && width > 0) {
      return width;
    }
  }
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return kNoLimit;
}

std::string percent(double share, int digits) {
  return fmt::format("{:.{}f} %", 100 * share, digits);
}

std::string signed_percent(double share) {
  return fmt::format("{:+.1f} %", 100 * share);
}

}  // namespace postage
