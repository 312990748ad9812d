#include <postage/estimate/estimate.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace postage {
namespace {

std::string option(const std::vector<std::string>& words, std::string_view name) {
  const auto found = std::find(words.begin(), words.end(), name);
  return found == words.end() ? "" : *std::next(found);
}

TEST(Plan, KnowsWhatEveryModelNeeds) {
  const std::vector<std::string_view> known = measurement_requirements();
  for (const ModelDescriptor* model : models()) {
    for (const std::string_view need : model->needs) {
      EXPECT_NE(std::find(known.begin(), known.end(), need), known.end()) << model->name << " needs " << need;
    }
    EXPECT_NO_THROW(static_cast<void>(experiments_for({std::string(model->name)}, {})));
  }
}

TEST(Plan, EveryRequirementIsSomeModels) {
  for (const std::string_view requirement : measurement_requirements()) {
    EXPECT_TRUE(std::any_of(models().begin(), models().end(), [&](const ModelDescriptor* model) {
      return std::find(model->needs.begin(), model->needs.end(), requirement) != model->needs.end();
    })) << requirement;
  }
}

TEST(Plan, MeasuresOnlyRoundtripsForHockney) {
  EXPECT_EQ(experiments_for({"hockney"}, {.quick = true}), (std::vector<std::string>{"--sizes",
                                                                                     "1:1M:x4",
                                                                                     "--overhead-sizes",
                                                                                     "none",
                                                                                     "--train-sizes",
                                                                                     "none",
                                                                                     "--step-sizes",
                                                                                     "none",
                                                                                     "--echo-sizes",
                                                                                     "none",
                                                                                     "--handshake-sizes",
                                                                                     "none",
                                                                                     "--handshake-echo-sizes",
                                                                                     "none",
                                                                                     "--rewriting-sizes",
                                                                                     "none",
                                                                                     "--pipelined-sizes",
                                                                                     "none",
                                                                                     "--answered-train-sizes",
                                                                                     "none",
                                                                                     "--copy-sizes",
                                                                                     "none",
                                                                                     "--delayed-sizes",
                                                                                     "none",
                                                                                     "--strided-sizes",
                                                                                     "none",
                                                                                     "--adaptive",
                                                                                     "0",
                                                                                     "--one-to-two-sizes",
                                                                                     "none",
                                                                                     "--sweep-sizes",
                                                                                     "none",
                                                                                     "--concurrent-sizes",
                                                                                     "none",
                                                                                     "--fan-sizes",
                                                                                     "none",
                                                                                     "--butterfly-sizes",
                                                                                     "none",
                                                                                     "--permutation-sizes",
                                                                                     "none",
                                                                                     "--reduction-sizes",
                                                                                     "64K",
                                                                                     "--as-far-as-possible"}));
}

TEST(Plan, JoinsTheSizesOfAllRequirements) {
  const std::vector<std::string> words = experiments_for({"loggp", "lognp"}, {.is_virtual = true});
  EXPECT_EQ(option(words, "--overhead-sizes"), "1,1,4K,16K");
  EXPECT_EQ(option(words, "--delayed-sizes"), "1,4K,16K");
  EXPECT_EQ(option(words, "--adaptive"), "0");
}

TEST(Plan, EveryModelIsEstimated) {
  std::vector<std::string> names;
  for (const ModelDescriptor* model : models()) {
    names.emplace_back(model->name);
  }
  EXPECT_EQ(estimated_models(), names);
}

}  // namespace
}  // namespace postage
