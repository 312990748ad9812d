#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/papers/pages.hpp>

#include <gtest/gtest.h>

#include <set>

namespace postage {
namespace {

/// Empty where the file is in the tree and holds the name after '#'.
std::string complaint(const std::string& where) {
  const std::string file = where.substr(0, where.find('#'));
  const std::filesystem::path path = std::filesystem::path(POSTAGE_SOURCE) / file;
  if (!std::filesystem::is_regular_file(path)) {
    return where + ": no such file";
  }
  const std::string name = where.size() > file.size() ? where.substr(file.size() + 1) : "";
  return read_file(path).find(name) == std::string::npos ? where + ": no such name in the file" : "";
}

TEST(Papers, SayWhereEverythingIs) {
  for (const Paper& paper : papers()) {
    EXPECT_FALSE(paper.exhibits.empty()) << paper.name;
    for (const Exhibit& exhibit : paper.exhibits) {
      EXPECT_FALSE(exhibit.where.empty()) << paper.name << " " << id_of(exhibit);
      for (const std::string& where : exhibit.where) {
        EXPECT_EQ(complaint(where), "") << paper.name << " " << id_of(exhibit);
      }
    }
    for (const Misprint& misprint : paper.misprints) {
      EXPECT_EQ(complaint(misprint.where), "") << paper.name << " " << misprint.place;
    }
  }
}

TEST(Papers, HaveUniqueExhibitsThatSayHowLongTheyTake) {
  for (const Paper& paper : papers()) {
    std::set<std::string> ids;
    for (const Exhibit& exhibit : paper.exhibits) {
      EXPECT_TRUE(ids.insert(id_of(exhibit)).second) << paper.name << " " << id_of(exhibit);
      EXPECT_EQ(exhibit.source == ExhibitSource::kComputed, exhibit.duration == 0)
          << paper.name << " " << id_of(exhibit);
      EXPECT_TRUE(exhibit.compute) << paper.name << " " << id_of(exhibit);
    }
  }
}

TEST(Papers, AreFoundByName) {
  EXPECT_EQ(find_paper("rico-gallego").name, "rico-gallego");
  EXPECT_THROW(static_cast<void>(find_paper("rico")), UsageError);
  EXPECT_EQ(id_of(find_exhibit(find_paper("ali"), "table-1")), "table-1");
  EXPECT_THROW(static_cast<void>(find_exhibit(find_paper("ali"), "table-99")), UsageError);
}

/// Of the tables of Ali et al. the formulas give what is printed, X included, but for the broadcast of p m bytes.
TEST(PaperExhibits, AliFormulasGiveWhatTheTablesPrint) {
  const PaperRun run =
      run_paper(find_paper("ali"), {.ids = {"table-1", "table-2", "table-3", "table-4", "table-5"}}, {});
  int formulas = 0;
  for (const RanExhibit& ran : run.exhibits) {
    for (const PaperRow& row : ran.result->rows) {
      EXPECT_TRUE(verdict_of(row) == RowVerdict::kAgrees || !row.note.empty()) << row.what;
      if (row.what.ends_with("formula")) {
        ++formulas;
        EXPECT_TRUE(verdict_of(row) == RowVerdict::kAgrees || row.what.find("broadcast") != std::string::npos)
            << row.what;
      }
    }
  }
  EXPECT_EQ(formulas, 53);
}

TEST(PaperRows, AgreeToATenthOfAPercentOrTheDigitsPrinted) {
  const auto verdict = [](double printed, double ours, double rounding) {
    return verdict_of(number_row("", printed, ours, AxisUnit::kNumber, rounding));
  };
  EXPECT_EQ(verdict(1000, 1001, 0), RowVerdict::kAgrees);
  EXPECT_EQ(verdict(1000, 1001.1, 0), RowVerdict::kDiffers);
  EXPECT_EQ(verdict(1.6, 1.649, 0.05), RowVerdict::kAgrees);
  EXPECT_EQ(verdict(1.6, 1.651, 0.05), RowVerdict::kDiffers);
  EXPECT_EQ(verdict_of(our_row("", 1, AxisUnit::kNumber)), RowVerdict::kNothingPrinted);
  EXPECT_EQ(verdict_of(missing_row("", 1, AxisUnit::kNumber, "no Cell")), RowVerdict::kMissing);
  EXPECT_EQ(verdict_of(claim_row("", "> 2", 1.9, AxisUnit::kNumber, false)), RowVerdict::kDiffers);
}

TEST(PaperRows, TellDifferencesOfSharesInPoints) {
  EXPECT_EQ(difference_text(number_row("", 2e-6, 3e-6, AxisUnit::kSeconds)), "+50.00 %");
  EXPECT_EQ(difference_text(number_row("", 0.05, 0.04, AxisUnit::kShare)), "-1.00 points");
  EXPECT_EQ(difference_text(number_row("", 3, 3 - 1e-15, AxisUnit::kNumber)), "+0.00 %");
  EXPECT_EQ(difference_text(number_row("", 0, 1, AxisUnit::kNumber)), "");
}

const Paper& two_exhibits() {
  static const Paper paper{
      .name = "toy",
      .reference = "A toy",
      .machines = "None.",
      .exhibits = {{.kind = ExhibitKind::kTable,
                    .number = "1",
                    .caption = "one | two",
                    .where = {"Makefile"},
                    .compute =
                        [](PaperContext&) {
                          return ExhibitResult{.rows = {number_row("a | b", 1, 1, AxisUnit::kNumber),
                                                        claim_row("c", "> 2", 3, AxisUnit::kNumber, true)},
                                               .charts = {{.title = "x < y", .curves = {{"a & b", {1, 2}, {1, 2}}}}}};
                        }},
                   {.kind = ExhibitKind::kFigure,
                    .number = "2",
                    .caption = "measured",
                    .where = {"Makefile"},
                    .source = ExhibitSource::kMeasured,
                    .duration = 20,
                    .compute = [](PaperContext&) -> ExhibitResult { throw Error("must not run"); }}}};
  return paper;
}

TEST(PaperRun, LeavesOutWhatIsMeasuredUnlessAskedFor) {
  const PaperRun run = run_paper(two_exhibits(), {}, {});
  ASSERT_EQ(run.exhibits.size(), 2U);
  EXPECT_TRUE(run.exhibits[0].result && !run.exhibits[1].result);
  EXPECT_EQ(
      verdict_line(run),
      "1 of 1 printed numbers come out to 0.1 % or the digits printed; 1 of 1 claims hold; 1 exhibits were not run.");
  EXPECT_NE(text_of(run).find("about 20 s"), std::string::npos);
  EXPECT_THROW(static_cast<void>(run_paper(two_exhibits(), {.all = true}, {})), Error);
  EXPECT_EQ(run_paper(two_exhibits(), {.ids = {"table-1"}}, {}).exhibits.size(), 1U);
}

TEST(PaperPages, HoldTablesAndDrawings) {
  const TemporaryFolder folder;
  const PaperRun run = run_paper(two_exhibits(), {}, {});
  write_pages(run, folder.path());
  const std::string page = read_file(folder.path() / "toy.md");
  EXPECT_NE(page.find("| a \\| b | 1 | 1 | +0.00 % |"), std::string::npos) << page;
  EXPECT_NE(page.find("](images/toy-table-1.svg)"), std::string::npos);
  EXPECT_NE(read_file(folder.path() / "images" / "toy-table-1.svg").find("x &lt; y"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "misprints.md"));
}

TEST(PaperPages, ListVerdictsOfThePagesThereAre) {
  const TemporaryFolder folder;
  const Paper& paper = find_paper("lastovetsky");
  const PaperRun run = run_paper(paper, {.ids = {id_of(paper.exhibits.front())}}, {});
  write_pages(run, folder.path());
  const std::string index = read_file(folder.path() / "README.md");
  EXPECT_NE(index.find(verdict_line(run)), std::string::npos) << index;
  EXPECT_EQ(index.find("(ali.md)"), std::string::npos);
}

}  // namespace
}  // namespace postage
