#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/model/tau_expression.hpp>
#include <postage/model/tau_lop.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TauExpression o(ChannelId channel = 0) {
  return TauExpression::overhead(channel, 8192);
}

TauExpression L(ChannelId channel = 0, double concurrency = 1, Bytes bytes = 8192) {
  return TauExpression::transfer(channel, bytes, concurrency);
}

TauExpression four(const TauExpression& expression) {
  return TauExpression::concurrent(4, expression);
}

TauLop two_channels() {
  const ParameterTable table = parse_parameters(
      "taulop",
      "[memory] o=1,L=0/1:2;8K/1:4;0/8:9;8K/8:18,n=2 [network] o=3,L=0/1:10;8K/1:20;0/8:80;8K/8:160,n=1,n@memory=2");
  return *build_model(table, channels_of(table)).target<TauLop>();
}

TEST(TauExpression, PrintsAsThePaperDoes) {
  EXPECT_EQ(four(o() + 2 * L()).text(), "4 || (o0(8K) + 2 L0(8K,1))");
  EXPECT_EQ((four(o() + 2 * L()) + L(1, 1.5)).text(), "(4 || (o0(8K) + 2 L0(8K,1))) + L1(8K,1.5)");
  EXPECT_EQ(TauExpression::overlap({L() + o(), L(1)}).text(), "(L0(8K,1) + o0(8K)) || L1(8K,1)");
  EXPECT_EQ(TauExpression::maximum({L() + o(), L(1)}).text(), "max{L0(8K,1) + o0(8K), L1(8K,1)}");
  EXPECT_EQ((3 * (o() + L())).text(), "3 (o0(8K) + L0(8K,1))");
  EXPECT_EQ(TauExpression().text(), "0");
}

TEST(TauExpression, ConcurrencyMultipliesTransfersNeverTheOverhead) {
  EXPECT_EQ(four(o()).simplified(), o());
  EXPECT_EQ(four(L(0, 3)).simplified(), L(0, 12));
  EXPECT_EQ(four(o() + 2 * L()).simplified().text(), "o0(8K) + 2 L0(8K,4)");
  EXPECT_EQ(four(TauExpression::concurrent(2, L())).simplified(), L(0, 8));
  EXPECT_EQ(four(TauExpression::maximum({L(), L(1)})).simplified().text(), "max{L0(8K,4), L1(8K,4)}");
}

TEST(TauExpression, GathersLikeTerms) {
  EXPECT_EQ((o() + L() + L() + L(0, 2) + 3 * L()).simplified().text(), "o0(8K) + 5 L0(8K,1) + L0(8K,2)");
  EXPECT_EQ((2 * (3 * L() + o())).simplified().text(), "6 L0(8K,1) + 2 o0(8K)");
  EXPECT_EQ((0 * L() + o()).simplified(), o());
  EXPECT_EQ((0 * L()).simplified(), TauExpression());
  EXPECT_EQ(TauExpression::maximum({L(), TauExpression::maximum({L(1), L()})}).simplified().text(),
            "max{L0(8K,1), L1(8K,1)}");
  EXPECT_EQ(TauExpression::maximum({L(), L()}).simplified(), L());
}

TEST(TauExpression, DifferentChannelsOverlapAndOneChannelIsShared) {
  EXPECT_EQ(TauExpression::overlap({L(), L(1)}).simplified().text(), "max{L0(8K,1), L1(8K,1)}");
  EXPECT_EQ(TauExpression::overlap({L(), L()}).simplified(), L(0, 2));
  EXPECT_EQ(TauExpression::overlap({o() + 2 * L(), o() + 2 * L()}).simplified(),
            TauExpression::concurrent(2, o() + 2 * L()).simplified());
  EXPECT_EQ(TauExpression::overlap({L(0, 7), L(1), L()}).simplified().text(), "max{L0(8K,8), L1(8K,1)}");
  EXPECT_EQ(TauExpression::overlap({L(), L(0, 1, 16384)}).simplified().text(), "max{L0(8K,2), L0(16K,2)}");
}

TEST(TauExpression, IsReadAsItIsPrinted) {
  const TauLop model = two_channels();
  const std::vector<std::string> channels{"memory", "network"};
  const auto read = [&](std::string_view text) { return parse_tau_expression(text, model, channels); };
  for (const TauExpression& written :
       {four(o() + 2 * L()), four(o() + 2 * L()) + L(1, 1.5), TauExpression::overlap({L() + o(), L(1)}),
        TauExpression::maximum({L() + o(1), L(1)}), 3 * (o() + L()), TauExpression(), four(four(L())),
        TauExpression::overlap({four(L()), 2 * L(1)}), o() + L() + TauExpression::maximum({L(), L(1)})}) {
    EXPECT_EQ(read(written.text()).text(), written.text());
    EXPECT_EQ(read(written.text()).simplified(), written.simplified());
  }
  EXPECT_EQ(read("L(8K)"), L());
  EXPECT_EQ(read("L[network](8K, 3)"), L(1, 3));
  EXPECT_EQ(read("T1(8K)"), transmission(model, 1, 8192));
  EXPECT_EQ(read("8 ‖ [o(8K) + 2*3 L(8K,1)]"), TauExpression::concurrent(8, o() + 6 * L()));
  EXPECT_EQ(read("max(L(8K), L1(8K))"), TauExpression::maximum({L(), L(1)}));
}

// "[Q || T0 + 1 || T1]" is a sum of two: || binds closer than +, and a factor closer than ||. Here Q = 8.
TEST(TauExpression, BindsAsThePaperWritesIt) {
  const TauLop model = two_channels();
  const auto simplified = [&](std::string_view text) {
    return parse_tau_expression(text, model, std::vector<std::string>{}).simplified().text();
  };
  EXPECT_EQ(simplified("31 [8 || 2 L0(8K,1) + 1 || L1(8K,1)]"), "62 L0(8K,8) + 31 L1(8K,1)");
  EXPECT_EQ(simplified("8 || 2 || L(8K)"), "L0(8K,16)");
  EXPECT_EQ(simplified("7 || L0(8K) || L1(8K)"), "max{L0(8K,7), L1(8K,1)}");
}

TEST(TauExpression, SaysWhereItCannotBeRead) {
  const TauLop model = two_channels();
  const std::vector<std::string> channels{"memory", "network"};
  const auto refusal = [&](std::string_view text) -> std::string {
    try {
      return parse_tau_expression(text, model, channels).text();
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  const std::vector<std::pair<std::string, std::string>> wrong{{"", "column 1"},
                                                               {"4 || ", "column 6"},
                                                               {"L0(8K", "column 6"},
                                                               {"L0(8Q,1)", "8Q"},
                                                               {"X(8K)", "column 1"},
                                                               {"L2(8K)", "channel 2"},
                                                               {"9999999999999999 L(8K)", "column 1"},
                                                               {"L[disk](8K)", "disk"},
                                                               {"1.5 L(8K)", "whole"},
                                                               {"L(8K,0)", "at least 1"},
                                                               {"o", "o(8K)"},
                                                               {"L(8K) L(8K)", "column 7"},
                                                               {"4", "number"},
                                                               {"L(8K) ||| L(8K)", "column 9"},
                                                               {"max{L(8K)", "column 10"},
                                                               {"0 || L(8K)", "at least 1"},
                                                               {std::string(100000, '['), "column 201"}};
  for (const auto& [text, words] : wrong) {
    EXPECT_NE(refusal(text).find(words), std::string::npos) << text << ": " << refusal(text);
  }
}

TEST(TauExpression, BracketsNestTwoHundredDeep) {
  const std::string deep = std::string(199, '(') + "L(8K)" + std::string(199, ')');
  EXPECT_EQ(parse_tau_expression(deep, two_channels(), {}).text(),
            parse_tau_expression("L(8K)", two_channels(), {}).text());
}

// Rico-Gallego et al., section 5: a stage of the ring under sequential mapping, eq. 7 before its simplification.
TEST(TauExpression, WritesThePapersRing) {
  const double q = 8;
  const TauExpression stage =
      TauExpression::concurrent(q, L()) + TauExpression::overlap({TauExpression::concurrent(q - 1, L()), L(1)}) + L();
  EXPECT_EQ(stage.simplified().text(), "L0(8K,8) + max{L0(8K,7), L1(8K,1)} + L0(8K,1)");
}

TEST(TauExpression, Evaluates) {
  const TauLop model = two_channels();
  EXPECT_DOUBLE_EQ(four(o() + 2 * L()).evaluate(model), 1 + 2 * (4 + 14 * 3. / 7));
  EXPECT_DOUBLE_EQ(TauExpression::overlap({L(), L(1)}).evaluate(model), 20);
  EXPECT_DOUBLE_EQ((3 * (o() + L(0, 1, 4096))).evaluate(model), 3 * (1 + 3));
  EXPECT_EQ(TauExpression().evaluate(model), 0);
  EXPECT_THROW(static_cast<void>(L(2).evaluate(model)), Error);
}

TEST(TauExpression, ATransmissionIsWhatTheModelCharges) {
  const TauLop model = two_channels();
  EXPECT_EQ(transmission(model, 0, 8192), o() + 2 * L());
  EXPECT_EQ(transmission(model, 1, 8192).simplified().text(), "o1(8K) + 2 L0(8K,1) + L1(8K,1)");
  for (const ChannelId channel : {ChannelId{0}, ChannelId{1}}) {
    for (const double n : {1., 2., 5., 8., 20.}) {
      const TransferQuestion question{
          .channel = channel, .bytes = 5000, .concurrency = n, .sending_concurrency = n, .receiving_concurrency = n};
      EXPECT_DOUBLE_EQ(TauExpression::concurrent(n, transmission(model, channel, 5000)).evaluate(model),
                       model.cost(question).total());
    }
  }
}

TEST(TauExpression, ATransmissionInSegmentsIsWhatTheModelCharges) {
  const auto model =
      *build_model(parse_parameters("taulop", "o=1,L=0/1:0;8/1:4;0/8:0;8/8:30,n=2,S=8"), std::vector<std::string>{})
           .target<TauLop>();
  EXPECT_EQ(transmission(model, 0, 24).simplified().text(), "o0(24) + 2 L0(8,1) + 2 L0(8,2)");
  for (const Bytes bytes : {7, 8, 9, 24, 31}) {
    EXPECT_DOUBLE_EQ(TauExpression::concurrent(3, transmission(model, 0, bytes)).evaluate(model),
                     model.cost({.bytes = bytes, .concurrency = 3}).total());
  }
}

}  // namespace
}  // namespace postage
