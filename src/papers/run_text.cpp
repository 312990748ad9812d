#include <postage/papers/run.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace postage {
namespace {

using Cells = std::array<std::string, 4>;

Cells cells_of(const PaperRow& row) {
  return {row.what, printed_text(row), our_text(row), difference_text(row)};
}

/// The first column to the left, numbers to the right.
std::string aligned(const std::vector<Cells>& lines) {
  std::array<std::size_t, 4> widths{};
  for (const Cells& cells : lines) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  std::string text;
  for (const Cells& cells : lines) {
    text += fmt::format("  {:<{}}  {:>{}}  {:>{}}  {:>{}}\n", cells[0], widths[0], cells[1], widths[1], cells[2],
                        widths[2], cells[3], widths[3]);
  }
  return text;
}

std::string rows_text(const std::vector<PaperRow>& rows) {
  std::vector<Cells> lines{{"", "printed", "ours", "difference"}};
  std::string notes;
  for (const PaperRow& row : rows) {
    lines.push_back(cells_of(row));
    if (!row.note.empty()) {
      notes += fmt::format("  {}: {}\n", row.what, row.note);
    }
  }
  return aligned(lines) + notes;
}

std::string exhibit_text(const RanExhibit& ran) {
  const Exhibit& exhibit = *ran.exhibit;
  std::string text = fmt::format("{} ({}): {}\n  in {}\n", title_of(exhibit), id_of(exhibit), exhibit.caption,
                                 fmt::join(exhibit.where, ", "));
  if (!ran.result) {
    return text + fmt::format("  not run: {}, about {:.0f} s; ask for it by its name, or for --all\n\n",
                              name_of(exhibit.source), exhibit.duration);
  }
  if (!ran.result->rows.empty()) {
    text += rows_text(ran.result->rows);
  }
  if (!ran.result->why.empty()) {
    text += fmt::format("  {}\n", ran.result->why);
  }
  return text + "\n";
}

}  // namespace

std::string printed_text(const PaperRow& row) {
  return row.printed ? format_value(*row.printed, row.unit) : row.claim;
}

std::string our_text(const PaperRow& row) {
  return row.ours ? format_value(*row.ours, row.unit) : "";
}

std::string difference_text(const PaperRow& row) {
  if (row.holds) {
    return *row.holds ? "holds" : "does not hold";
  }
  const std::optional<double> difference = difference_of(row);
  if (!difference) {
    return "";
  }
  // No minus sign before what is rounded to nothing.
  const double hundredths = std::round(1e4 * *difference) + 0.0;
  return fmt::format("{:+.2f} {}", hundredths / 100, row.unit == AxisUnit::kShare ? "points" : "%");
}

std::string text_of(const PaperRun& run) {
  std::string text = run.paper->reference + "\n\n";
  for (const RanExhibit& ran : run.exhibits) {
    text += exhibit_text(ran);
  }
  return text + verdict_line(run) + "\n";
}

}  // namespace postage
