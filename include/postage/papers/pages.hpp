#pragma once

#include <postage/papers/run.hpp>

#include <filesystem>

namespace postage {

/// docs/papers/NAME.md, with its figures in images/.
[[nodiscard]] std::string page_of(const PaperRun& run);

/// All papers' misprints.
[[nodiscard]] std::string misprints_page();

/// A line of verdicts for each paper, read from the pages that `folder` holds.
[[nodiscard]] std::string index_page(const std::filesystem::path& folder);

/// Writes the page and its figures, and the two pages about all papers, into `folder`. Throws Error where a file cannot
/// be written.
void write_pages(const PaperRun& run, const std::filesystem::path& folder);

/// "chai-figure-6.svg".
[[nodiscard]] std::string file_of(const Paper& paper, const Exhibit& exhibit, const PaperChart& chart);

}  // namespace postage
