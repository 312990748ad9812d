#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

std::string refusal(std::string_view model, std::string_view text) {
  try {
    static_cast<void>(parse_parameters(model, text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "it was accepted";
}

TEST(ParseParameters, ReadsEveryModelsExample) {
  for (const ModelDescriptor* model : models()) {
    const ParameterTable table = parse_parameters(model->name, model->example);
    EXPECT_NO_THROW(static_cast<void>(build_model(table, channels_of(table)))) << model->name;
    EXPECT_EQ(table.model, model->name);
  }
}

TEST(ParseParameters, ReadsSections) {
  const ParameterTable table = parse_parameters("lmo",
                                                "gamma=1ns [inter-node] beta=1MB/s [inter-node from 64K] beta = "
                                                "2MB/s\n[pair 5 2] beta=3MB/s [processor 7] C=1us,t=1ns");
  ASSERT_EQ(table.groups.size(), 5U);
  EXPECT_EQ(table.groups[0].scope, (ParameterScope{.channel = "all"}));
  EXPECT_EQ(table.groups[1].scope, (ParameterScope{.channel = "inter-node"}));
  EXPECT_EQ(table.groups[2].from_bytes, 65536);
  EXPECT_EQ(table.groups[2].values.at("beta"), Estimate::exactly(2e6));
  EXPECT_EQ(table.groups[3].scope, (ParameterScope{.first = 2, .second = 5}));
  EXPECT_EQ(table.groups[4].scope, (ParameterScope{.processor = 7}));
  EXPECT_EQ(channels_of(table), std::vector<std::string>{"inter-node"});
}

TEST(ParseParameters, ReadsCurvesSurfacesAndIntervals) {
  const ParameterTable table = parse_parameters("plogp", "L=4us<5us<7us,o=0:1us;64K:2us,g=0:1us<2us<3us;64K:80us");
  const ParameterGroup& group = table.groups.at(0);
  EXPECT_EQ(group.values.at("L"), (Estimate{5e-6, 4e-6, 7e-6}));
  EXPECT_EQ(group.curves.at("g"), (ParameterCurve{{0, {2e-6, 1e-6, 3e-6}}, {65536, Estimate::exactly(80e-6)}}));
  EXPECT_EQ(group.curves.at("o_s"), group.curves.at("o_r"));

  const ParameterTable lop = parse_parameters("taulop", "o=1us,n=2,L=64K/1:20us;0/8:2us;1M/1:30us");
  EXPECT_EQ(lop.groups[0].surfaces.at("L"),
            (ParameterSurface{{1, {{65536, Estimate::exactly(20e-6)}, {1 << 20, Estimate::exactly(30e-6)}}},
                              {8, {{0, Estimate::exactly(2e-6)}}}}));
}

TEST(ParseParameters, SaysInOneSentenceWhatIsWrong) {
  EXPECT_EQ(refusal("loggp", "L=5us,o=1us,g=2us"), "--params lacks G of the loggp model; it needs L, o_s, o_r, g, G");
  EXPECT_EQ(refusal("loggp", ""), "--params lacks L of the loggp model; it needs L, o_s, o_r, g, G");
  EXPECT_EQ(refusal("loggph", "[a] L=5us"),
            "--params lacks o_s of the loggph model for channel a; it needs L, o_s, o_r, g, G");
  EXPECT_EQ(refusal("lmo", "beta=1 [processor 3] C=1"),
            "--params lacks t of the lmo model for the processor of rank 3; it needs C, t");
  EXPECT_EQ(refusal("lmo", "[a] beta=1"), "--params lacks C of the lmo model for channel a; it needs C, t, beta");
  EXPECT_EQ(refusal("plogp", "L=1,o=1,g=64K:1;1K:2"),
            "--params: parameter g of the plogp model for channel all has the size 1K out of order; a curve's sizes "
            "must ascend from 0 or above");
  EXPECT_EQ(refusal("plogp", "L=0:1us;8:2us,o=1,g=1"), "parameter L is '0:1us;8:2us'; it must be one value");
  EXPECT_EQ(refusal("plogp", "L=1,o=1,g=0:1us;8"),
            "'8' for parameter g is no point of a curve; write SIZE:VALUE;SIZE:VALUE, like 0:2us;64K:80us");
  EXPECT_EQ(refusal("taulop", "o=1,n=1,L=8/1:1us;8:2us"),
            "'8:2us' for parameter L is no point of a surface; write SIZE/tau:VALUE, like 64K/8:80us");
  EXPECT_EQ(refusal("hockney", "alpha=3us<2us<1us,beta=1"),
            "'3us<2us<1us' for parameter alpha is not LOWER<VALUE<UPPER, like 4us<5us<7us");
  EXPECT_EQ(refusal("hockney", "alpha=nan,beta=1"),
            "parameter alpha: 'nan' is not a time; write it like 5us, 1.5ms or 2s");
  EXPECT_EQ(refusal("hockney", "alpha=1,beta=1,L=1"),
            "--params has L, which the hockney model does not use; it has alpha, beta, gamma");
  EXPECT_EQ(refusal("hockney", "[pair 1 1] alpha=1,beta=1"),
            "'[pair 1 1]' in --params is not [CHANNEL], [pair A B] or [processor A], each perhaps with 'from SIZE'");
  EXPECT_EQ(refusal("hockney", "[a alpha=1"), "'[a alpha=1' in --params lacks its closing bracket");
  EXPECT_EQ(refusal("hockney", "[a] alpha=1,beta=1 [a from 8] alpha=1"),
            "--params lacks beta of the hockney model for channel a; it needs alpha, beta");
  EXPECT_EQ(refusal("hockney", "[a from 8] alpha=1,beta=1"),
            "--params: the hockney model has no parameters for channel a below 8 bytes");
  EXPECT_EQ(refusal("lmo", "C=1,t=1,beta=1e-320"),
            "--params: parameter beta of the lmo model for channel all is 1e-320, too small to divide by");
  EXPECT_EQ(refusal("lmo", "C=1,t=1,beta=0"),
            "--params: parameter beta of the lmo model for channel all is 0; it and its interval must be above 0");
}

TEST(AllChannels, AreTheDefaultOfThosePlatformsHave) {
  const ParameterTable table = parse_parameters("hockney", "alpha=1,beta=0 [b] alpha=2,beta=0");
  const std::vector<std::string> channels{"a", "b", "c"};
  const Model model = build_model(table, channels);
  EXPECT_EQ(cost(model, {.channel = 0}).total(), 1);
  EXPECT_EQ(cost(model, {.channel = 1}).total(), 2);
  EXPECT_EQ(cost(model, {.channel = 2}).total(), 1);
}

TEST(ParameterDescription, StandsForIndexedSymbols) {
  const ParameterDescription indexed{.symbol = "o_i"};
  EXPECT_TRUE(indexed.matches("o_0"));
  EXPECT_TRUE(indexed.matches("o_12"));
  EXPECT_FALSE(indexed.matches("o_"));
  EXPECT_FALSE(indexed.matches("o_x"));
  EXPECT_FALSE(indexed.matches("o"));
  const ParameterDescription named{.symbol = "n@c"};
  EXPECT_TRUE(named.matches("n@shared-cache"));
  EXPECT_FALSE(named.matches("n@"));
}

}  // namespace
}  // namespace postage
