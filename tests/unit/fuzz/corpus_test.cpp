// The corpus of `make fuzz`, and texts like it, through every parser: under the sanitizers that unit tests have.
#include "fuzz/parsers.hpp"
#include "mutation.hpp"

#include <postage/base/files.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

namespace postage {
namespace {

/// Texts of each parser's folder, by name.
std::map<std::string, std::string> corpus_of(const FuzzedParser& parser) {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(POSTAGE_CORPUS) / parser.name)) {
    texts[entry.path().filename().string()] = read_file(entry.path());
  }
  return texts;
}

class Corpus : public testing::TestWithParam<FuzzedParser> {};

TEST_P(Corpus, IsReadOrRefused) {
  bool any_valid = false;
  for (const auto& [name, text] : corpus_of(GetParam())) {
    SCOPED_TRACE(name);
    any_valid = try_parser(GetParam(), text) || any_valid;
  }
  EXPECT_TRUE(any_valid) << "a corpus of mistakes alone does not reach far";
}

TEST_P(Corpus, SoAreTextsLikeIt) {
  const char* const wanted = std::getenv("POSTAGE_FUZZ_RUNS");
  const int runs = wanted == nullptr ? 500 : std::atoi(wanted);
  std::vector<std::string> texts;
  for (const auto& [name, text] : corpus_of(GetParam())) {
    texts.push_back(text);
  }
  std::mt19937 random(20261123);
  int refused = 0;
  for (int run = 0; run < runs; ++run) {
    refused += try_parser(GetParam(), mutated(texts, random)) ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Parsers, Corpus, testing::ValuesIn(fuzzed_parsers()), [](const auto& chosen) {
  std::string name = chosen.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace postage
