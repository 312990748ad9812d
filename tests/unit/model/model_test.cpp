#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace postage {
namespace {

const std::vector<std::string> kAll{"all"};

ParameterGroup hockney_group(ParameterScope scope, Bytes from, double alpha, double beta) {
  return {std::move(scope), from, {{"alpha", Estimate::exactly(alpha)}, {"beta", Estimate::exactly(beta)}}};
}

std::string message_of(const auto& action) {
  try {
    static_cast<void>(action());
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Models, AreEachRankedOnceByAccuracy) {
  std::vector<std::string_view> ranked = models_by_accuracy();
  std::vector<std::string_view> all;
  for (const ModelDescriptor* model : models()) {
    all.push_back(model->name);
  }
  std::sort(ranked.begin(), ranked.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(ranked, all);
}

TEST(Hockney, ChargesTheSenderForTheWholeMessage) {
  const Model model = build_model(parse_parameters("hockney", "alpha=2us,beta=1ns"), kAll);
  const TransferCost c = cost(model, {.bytes = 1000});
  EXPECT_DOUBLE_EQ(c.sender_busy, 3e-6);
  EXPECT_EQ(c.gap, c.sender_busy);
  EXPECT_EQ(c.total(), c.sender_busy);
}

TEST(LogGP, SplitsTheCost) {
  const Model model = build_model(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), kAll);
  const TransferCost c = cost(model, {.bytes = 1001});
  EXPECT_DOUBLE_EQ(c.sender_busy, 1e-6);
  EXPECT_DOUBLE_EQ(c.receiver_busy, 1e-6);
  EXPECT_DOUBLE_EQ(c.wire, 6e-6);
  EXPECT_DOUBLE_EQ(c.gap, 3e-6);
  EXPECT_EQ(cost(model, {.bytes = 0}), cost(model, {.bytes = 1}));
}

TEST(LinkTable, PrefersThePairAndChoosesTheRegimeBySize) {
  ParameterTable table{.model = "hockney", .groups = {}, .fit = {}};
  table.groups.push_back(hockney_group({.channel = "all"}, 0, 1, 0));
  table.groups.push_back(hockney_group({.channel = "all"}, 100, 2, 0));
  table.groups.push_back(hockney_group({.channel = "", .first = 3, .second = 5}, 0, 7, 0));
  const Model model = build_model(table, kAll);
  EXPECT_EQ(cost(model, {.bytes = 99}).total(), 1);
  EXPECT_EQ(cost(model, {.bytes = 100}).total(), 2);
  EXPECT_EQ(cost(model, {.source = 5, .target = 3, .bytes = 100}).total(), 7);
  EXPECT_EQ(cost(model, {.source = 3, .target = 4, .bytes = 100}).total(), 2);
}

TEST(BuildModel, TakesTheBoundAskedForAndNeverGoesBelowZero) {
  ParameterTable table = parse_parameters("hockney", "alpha=2us,beta=1ns");
  table.groups[0].values["alpha"] = {2e-6, -1e-6, 3e-6};
  EXPECT_EQ(cost(build_model(table, kAll, Bound::kLower), {.bytes = 0}).total(), 0);
  EXPECT_EQ(cost(build_model(table, kAll, Bound::kUpper), {.bytes = 0}).total(), 3e-6);
}

TEST(BuildModel, SaysWhatIsWrong) {
  const ParameterTable good = parse_parameters("hockney", "alpha=2us,beta=1ns");
  ParameterTable bad = good;
  bad.groups[0].values.erase("beta");
  EXPECT_EQ(message_of([&] { return build_model(bad, kAll); }),
            "the hockney model has no parameter beta for channel all");
  bad = good;
  bad.groups[0].values["alpha"] = Estimate::exactly(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(message_of([&] { return build_model(bad, kAll); }).find("alpha of the hockney model"), std::string::npos);
  bad = good;
  bad.groups[0].from_bytes = 8;
  EXPECT_EQ(message_of([&] { return build_model(bad, kAll); }),
            "the hockney model has no parameters for channel all below 8 bytes");
  bad = good;
  bad.groups[0].scope.channel = "moon";
  EXPECT_NE(message_of([&] { return build_model(bad, kAll); }).find("none of the platform's: all"), std::string::npos);
}

TEST(ParseParameters, RefusesWhatTheModelDoesNotUse) {
  EXPECT_THROW(static_cast<void>(parse_parameters("loggp", "L=5us,o=1us,g=2us")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_parameters("hockney", "alpha=1us,beta=1ns,L=1us")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_parameters("hockney", "alpha=1us,alpha=1us,beta=1ns")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_parameters("hockney", "alpha=-1us,beta=1ns")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_parameters("hockney", "alpha")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_parameters("hokney", "alpha=1us")), UsageError);
}

TEST(Models, AreDescribedWithUnitsAndSources) {
  for (const ModelDescriptor* model : models()) {
    EXPECT_FALSE(model->equation.empty());
    EXPECT_FALSE(model->source.empty());
    for (const ParameterDescription& parameter : model->parameters) {
      EXPECT_FALSE(parameter.unit.empty()) << parameter.symbol;
    }
  }
}

/// Models by their median error in the table of all simulated platforms.
std::vector<std::string> ranking_of_page() {
  std::ifstream page(POSTAGE_DOCS "/accuracy.md");
  std::vector<std::pair<double, std::string>> rows;
  bool is_table = false;
  for (std::string line; std::getline(page, line);) {
    is_table = line.starts_with("#") ? line == "### All models, all simulated platforms" : is_table;
    std::istringstream cells(line);
    std::string bar;
    std::string name;
    double points = 0;
    double median = 0;
    if (is_table && cells >> bar >> name && name.size() > 2 && name.front() == '`' &&
        cells >> bar >> points >> bar >> median) {
      rows.emplace_back(median, name.substr(1, name.size() - 2));
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [error, name] : rows) {
    names.push_back(name);
  }
  return names;
}

TEST(Models, AreRankedAsTheAccuracyPageHasThem) {
  const auto ranked = models_by_accuracy();
  EXPECT_EQ(std::vector<std::string>(ranked.begin(), ranked.end()), ranking_of_page());
}

}  // namespace
}  // namespace postage
