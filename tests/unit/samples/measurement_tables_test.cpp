#include "unit/samples/small_campaign.hpp"

#include <postage/base/error.hpp>
#include <postage/samples/samples_json.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace postage {
namespace {

using test::campaign;
using test::measured;
using test::roundtrip;

/// As simulations have them.
Measurement once(Bytes bytes, double time) {
  Measurement m = measured(roundtrip(bytes), {{time, time}});
  m.passes.clear();
  m.summary.median_interval = {time, time};
  m.precise = true;
  return m;
}

Json written(const std::vector<Measurement>& measurements) {
  return Json::parse(to_json(campaign(measurements)).dump());
}

void expect_kept(const std::vector<Measurement>& measurements) {
  const Json file = written(measurements);
  const SampleSet read = samples_from_json(file, "s.json");
  ASSERT_EQ(read.measurements.size(), measurements.size());
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    EXPECT_EQ(to_json(read.measurements[i]).dump(), to_json(measurements[i]).dump()) << i;
  }
  EXPECT_EQ(to_json(read).dump(), file.dump());
}

TEST(MeasurementTables, HoldNeighboursOfOneKind) {
  const std::vector<Measurement> all{once(8, 1e-6), once(64, 2e-6), once(1024, 0.1 + 0.2)};
  const Json file = written(all);
  ASSERT_EQ(file["measurements"].size(), 1U);
  const Json& table = file["measurements"][0];
  EXPECT_EQ(table["rows"].integer(), 3);
  EXPECT_EQ(table["all"].dump(), R"({"experiment":{"kind":"roundtrip","source":0,"target":1},"summary":{"count":2}})");
  EXPECT_EQ(
      table["each"].dump(),
      R"({"experiment":{"bytes":[8,64,1024],"reply_bytes":[8,64,1024]},"summary":{"median":[1e-06,2e-06,0.30000000000000004]}})");
  expect_kept(all);
}

// Of few ranks a campaign may draw a collective twice, and a simulation repeats itself exactly.
TEST(MeasurementTables, DoNotHoldMeasurementsThatAreTheSame) {
  const std::vector<Measurement> all{once(8, 1e-6), once(8, 1e-6)};
  EXPECT_EQ(written(all)["measurements"].size(), 2U);
  expect_kept(all);
  expect_kept({once(8, 1e-6), once(8, 1e-6), once(64, 2e-6)});
}

TEST(MeasurementTables, HavePassesOfTheMedianAsTheirNumber) {
  const std::vector<Measurement> all{measured(roundtrip(8), {{1e-6, 1e-6}, {}, {1e-6}}),
                                     measured(roundtrip(9), {{2e-6, 2e-6}, {}, {2e-6}}),
                                     measured(roundtrip(10), {{1e-6, 2e-6, 3e-6}, {2e-6}})};
  EXPECT_EQ(to_json(all[0])["passes"].dump(), "[2,[],1]");
  EXPECT_EQ(to_json(all[2])["passes"].dump(), "[[1e-06,2e-06,3e-06],1]");
  expect_kept(all);
  const SampleSet read = samples_from_json(written(all), "s.json");
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(read.measurements[i].passes, all[i].passes);
  }
}

TEST(MeasurementTables, KeepTheOrderAndWhatOnlyFewHave) {
  const Experiment reduction{.kind = ExperimentKind("reduction", {ExperimentField::kSource}), .bytes = 8};
  std::vector<Measurement> all{once(8, 1e-6), once(64, 2e-6), measured(reduction, {{3e-6}}), once(9, 0),
                               measured(roundtrip(7), {{1e-6, 2e-6, 9e-6}, {}, {2e-6}})};
  all[1].late = 3;
  all[4].precise = false;
  all[4].summary.median_interval = {1e-6, 9e-6};
  all[4].summary.modes = {{1e-6, 0.25}, {2e-6, 0.75}};
  EXPECT_EQ(written(all)["measurements"].size(), 3U);
  expect_kept(all);
}

TEST(MeasurementTables, TellWhatIsNullFromWhatIsMissing) {
  std::vector<Measurement> all;
  for (const Bytes bytes : {8, 9, 10}) {
    all.push_back(measured(roundtrip(bytes), {{1e-6, 2e-6, 3e-6}}));
    all.back().summary.median_interval = {bytes == 9 ? -std::numeric_limits<double>::infinity() : 1e-6, 3e-6};
  }
  EXPECT_EQ(written(all)["measurements"].size(), 1U);
  expect_kept(all);
  all.insert(all.begin(), once(64, 2e-6));
  EXPECT_EQ(written(all)["measurements"].size(), 2U) << "the first lacks bounds of which the third has none";
  expect_kept(all);
}

std::string refusal_after(const std::function<void(Json&)>& change) {
  Json file = written({once(8, 1e-6), once(64, 2e-6)});
  change(file["measurements"][0]);
  try {
    static_cast<void>(samples_from_json(file, "s.json"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MeasurementTables, AreRefusedByTheColumnThatIsWrong) {
  EXPECT_EQ(refusal_after([](Json&) {}), "");
  EXPECT_EQ(
      refusal_after([](Json& table) { table["each"]["experiment"]["bytes"].push_back(3); }),
      "field /measurements/0/each/experiment/bytes of s.json must be an array with a value for each of the table's "
      "2 rows");
  EXPECT_EQ(refusal_after([](Json& table) { table["rows"] = 3; }).find("field /measurements/0/each/experiment/bytes"),
            0U);
  EXPECT_EQ(refusal_after([](Json& table) { table["each"]["experiment"]["bytes"][1] = Json(); }),
            "field /measurements/0/rows/1/experiment/bytes of s.json must be an integer");
  EXPECT_EQ(refusal_after([](Json& table) { table["all"] = 1; }),
            "field /measurements/0 of s.json must be a table: its rows, and the objects all and each");
  EXPECT_EQ(refusal_after([](Json& table) { table["all"]["experiment"] = 1; }),
            "field /measurements/0 of s.json must be a table whose columns belong to the objects in all");
}

TEST(MeasurementTables, AreAsLongAsTheirColumns) {
  const std::string refusal = refusal_after([](Json& table) {
    table["rows"] = 1'000'000'000'000;
    table["each"] = Json::object();
  });
  EXPECT_EQ(refusal, "field /measurements/0/each of s.json must be an object with a column of values");
}

}  // namespace
}  // namespace postage
