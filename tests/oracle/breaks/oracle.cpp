#include "oracle/breaks/oracle.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>

#include <sstream>

namespace postage {
namespace {

std::string table_of(const std::vector<BreakCase>& cases) {
  std::string table;
  for (std::size_t id = 0; id < cases.size(); ++id) {
    const BreakCase& c = cases[id];
    table += fmt::format("case {} {} {} {} {}\n", id, c.regression == Regression::kLine ? 1 : 0,
                         c.errors == ErrorScale::kRelative ? 1 : 0, c.least_points, c.most_breaks);
    for (const SeriesPoint& point : c.series) {
      table += fmt::format("point {} {:.17g} {:.17g} NA NA\n", id, point.x, point.y);
    }
  }
  return table;
}

std::vector<long> split(const std::string& text) {
  std::vector<long> numbers;
  std::istringstream words(text == "-" ? "" : text);
  for (std::string word; std::getline(words, word, ';');) {
    // An interval that strucchange cannot tell is NA.
    numbers.push_back(word == "NA" ? -1 : std::stol(word));
  }
  return numbers;
}

}  // namespace

std::vector<OracleAnswer> ask_strucchange(const std::vector<BreakCase>& cases) {
  const TemporaryFolder folder;
  const auto input = folder.path() / "series.txt";
  const auto output = folder.path() / "breaks.txt";
  write_file(input, table_of(cases));
  try {
    static_cast<void>(run_command({"Rscript", "--vanilla", POSTAGE_R_SCRIPT, input.string(), output.string()}, 280));
  } catch (const Error& failure) {
    throw Error(
        fmt::format("the oracle does not answer; scripts/setup test installs R with strucchange: {}", failure.what()));
  }
  std::vector<OracleAnswer> answers(cases.size());
  std::istringstream lines(read_file(output));
  std::size_t id = 0;
  std::size_t breaks = 0;
  std::string rss, bic, places, lowest, highest;
  while (lines >> id >> breaks >> rss >> bic >> places >> lowest >> highest) {
    OracleAnswer& answer = answers.at(id);
    const std::vector<long> numbers = split(places);
    answer.by_count.push_back({{numbers.begin(), numbers.end()}, std::stod(rss), std::stod(bic)});
    if (answer.by_count.back().bic < answer.by_count[answer.chosen].bic) {
      answer.chosen = breaks;
    }
    if (lowest != "-") {
      answer.lowest = split(lowest);
      answer.highest = split(highest);
    }
  }
  return answers;
}

}  // namespace postage
