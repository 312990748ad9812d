#include <postage/base/files.hpp>
#include <postage/papers/pages.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace postage {
namespace {

constexpr const char* kVerdict = "**Verdict:** ";

/// A table's cell: a bar would end it.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '|' ? "\\|" : std::string(1, c);
  }
  return safe;
}

/// From docs/papers/ to a file of the tree.
std::string link_to(const std::string& where) {
  const std::string file = where.substr(0, where.find('#'));
  const std::string name = where.size() > file.size() ? where.substr(file.size() + 1) + " in " : "";
  return fmt::format("{}[{}](../../{})", name, file, file);
}

std::string links_of(const std::vector<std::string>& places) {
  std::string text;
  for (const std::string& where : places) {
    text += (text.empty() ? "" : ", ") + link_to(where);
  }
  return text;
}

std::string rows_table(const std::vector<PaperRow>& rows) {
  const bool has_notes = std::any_of(rows.begin(), rows.end(), [](const PaperRow& row) { return !row.note.empty(); });
  std::string table = fmt::format("| | printed | ours | difference |{}\n|---|---:|---:|---:|{}\n",
                                  has_notes ? " |" : "", has_notes ? "---|" : "");
  for (const PaperRow& row : rows) {
    table += fmt::format("| {} | {} | {} | {} |", cell(row.what), cell(printed_text(row)), our_text(row),
                         difference_text(row));
    table += has_notes ? fmt::format(" {} |\n", cell(row.note)) : "\n";
  }
  return table + "\n";
}

std::string section_of(const Paper& paper, const RanExhibit& ran) {
  const Exhibit& exhibit = *ran.exhibit;
  std::string text = fmt::format("## {}: {}\n\nIn {}. {}.", title_of(exhibit), exhibit.caption, links_of(exhibit.where),
                                 exhibit.source == ExhibitSource::kComputed    ? "Computed"
                                 : exhibit.source == ExhibitSource::kSimulated ? "Simulated"
                                                                               : "Measured on this machine");
  text += exhibit.command.empty() ? "\n\n" : fmt::format(" By hand: `{}`\n\n", exhibit.command);
  if (!ran.result) {
    return text + fmt::format("Not run for this page; it takes about {:.0f} s: `postage paper {} --exhibit {}`.\n\n",
                              exhibit.duration, paper.name, id_of(exhibit));
  }
  if (!ran.result->rows.empty()) {
    text += rows_table(ran.result->rows);
  }
  if (!ran.result->why.empty()) {
    text += ran.result->why + "\n\n";
  }
  for (const PaperChart& chart : ran.result->charts) {
    text += fmt::format("![{}](images/{})\n\n", chart.title, file_of(paper, exhibit, chart));
  }
  return text;
}

std::string table_of_contents(const PaperRun& run) {
  std::string table = "| | what it is | agree | differ |\n|---|---|---:|---:|\n";
  for (const RanExhibit& ran : run.exhibits) {
    const VerdictCounts counts = count_verdicts({run.paper, {ran}});
    table += fmt::format("| {} | {} |", title_of(*ran.exhibit), cell(ran.exhibit->caption));
    table += ran.result ? fmt::format(" {} | {} |\n", counts.numbers_agree + counts.claims_hold,
                                      counts.numbers_differ + counts.claims_fail)
                        : " not run | |\n";
  }
  return table + "\n";
}

std::string misprints_table(const Paper& paper) {
  std::string table = "| place | printed | right | proof | shown by |\n|---|---|---|---|---|\n";
  for (const Misprint& misprint : paper.misprints) {
    table += fmt::format("| {} | {} | {} | {} | {} |\n", cell(misprint.place), cell(misprint.printed),
                         cell(misprint.right), cell(misprint.proof), link_to(misprint.where));
  }
  return table + "\n";
}

/// The line of verdicts of a page; empty where there is no page.
std::string verdict_in(const std::filesystem::path& page) {
  if (!std::filesystem::exists(page)) {
    return "";
  }
  std::istringstream lines(read_file(page));
  const std::string mark = kVerdict;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(mark)) {
      return line.substr(mark.size());
    }
  }
  return "";
}

}  // namespace

std::string file_of(const Paper& paper, const Exhibit& exhibit, const PaperChart& chart) {
  return fmt::format("{}-{}{}{}.svg", paper.name, id_of(exhibit), chart.name.empty() ? "" : "-", chart.name);
}

std::string page_of(const PaperRun& run) {
  const Paper& paper = *run.paper;
  std::string text = fmt::format(
      "# {}\n\nWritten by `postage paper {} --all -o docs/papers`. {}\n\n{}{}\n\n*Printed* is what the paper prints, "
      "or "
      "what its print gives by hand for the values named; a number *agrees* to 0.1 % or to the digits printed, and the "
      "difference of percentages is in points.\n\n",
      paper.reference, paper.name, paper.machines, kVerdict, verdict_line(run));
  text += table_of_contents(run);
  for (const RanExhibit& ran : run.exhibits) {
    text += section_of(paper, ran);
  }
  if (!paper.misprints.empty()) {
    text += "## Misprints and inconsistencies\n\n" + misprints_table(paper);
  }
  return text;
}

std::string misprints_page() {
  std::string text =
      "# Misprints and inconsistencies of the five papers\n\nWhat is printed wrong, or in two ways that contradict "
      "each other, what is right, and why.\n\n";
  for (const Paper& paper : papers()) {
    if (!paper.misprints.empty()) {
      text += fmt::format("## {}\n\n{}\n\n{}", paper.name, paper.reference, misprints_table(paper));
    }
  }
  return text;
}

std::string index_page(const std::filesystem::path& folder) {
  std::string text =
      "# The five papers\n\nEvery equation, table, figure, algorithm and claim, where it is in the code, what is "
      "printed "
      "and what comes out here. `make papers` writes these pages; `postage paper NAME` prints one.\n\n"
      "| paper | verdict |\n|---|---|\n";
  for (const Paper& paper : papers()) {
    const std::string verdict = verdict_in(folder / (paper.name + ".md"));
    text += verdict.empty() ? "" : fmt::format("| [{0}]({0}.md): {1} | {2} |\n", paper.name, paper.reference, verdict);
  }
  return text + "\n[misprints.md](misprints.md) lists what is printed wrong, with the proofs.\n";
}

void write_pages(const PaperRun& run, const std::filesystem::path& folder) {
  for (const RanExhibit& ran : run.exhibits) {
    for (const PaperChart& chart : ran.result ? ran.result->charts : std::vector<PaperChart>{}) {
      write_file(folder / "images" / file_of(*run.paper, *ran.exhibit, chart),
                 draw_curves(chart.title, chart.curves, chart.x, chart.y));
    }
  }
  write_file(folder / (run.paper->name + ".md"), page_of(run));
  write_file(folder / "misprints.md", misprints_page());
  write_file(folder / "README.md", index_page(folder));
}

}  // namespace postage
